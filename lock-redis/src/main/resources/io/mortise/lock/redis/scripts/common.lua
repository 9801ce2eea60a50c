-- What all scripts on locks share; this text is put in front of each. A lock has three keys in one slot: its holder, its token counter, its queue.
--
-- The holder's key lives exactly as long as the lease and says one of
--   held OWNER TOKEN SINCE LABEL             since: server time in microseconds
--   revoked OWNER TOKEN SINCE LABEL REASON   renewals are refused
--   called OWNER                             free, and kept for the first in the queue until it tries, for CONFIRM milliseconds; or
--                                            for nobody, owner 0, while all in the queue show that they are alive, for ROLL milliseconds
-- The queue is a sorted set of entries "OWNER CHANNEL NUMBER", by time of arrival. The score of a claim that was called is -inf, and
-- that of a claim that is to show that it is alive is minus its time of arrival, until it tries.

local CONFIRM = 600   -- how long a free lock is kept for the claim that was called
local ROLL = 250      -- how long all in the queue have to show that they are alive
local IDLE = 600000   -- how long a token counter outlives the time that it stands for
local QUEUE = 60000   -- how long a queue lives that nobody looks at
local FOREIGN = 'MORTISE-FOREIGN the key of the lock holds something that is no lock; look at it, then delete it'
local ENDLESS = 'MORTISE-ENDLESS the key of the lock has no time to live; look at it, then delete it'

local function text(number)
  return string.format('%.0f', number)
end

-- The holder, or nothing if the lock is free; and an error if the key holds something that is no lock.
local function read(key)
  local value = redis.pcall('GET', key)
  if not value then
    return nil, nil
  elseif type(value) == 'table' then
    if string.find(value.err, 'WRONGTYPE', 1, true) then
      return nil, redis.error_reply(FOREIGN)
    end
    redis.call('GET', key) -- fails again, for all of the script
  end
  local state, owner, rest = string.match(value, '^(%l+) (%x+)(.*)$')
  if state == 'called' then
    return {state = state, owner = owner}, nil
  end
  local token, since, label, reason = string.match(rest or '', '^ (%d+) (%d+) (%S+) ?(%S*)$')
  if (state ~= 'held' and state ~= 'revoked') or not token then
    return nil, redis.error_reply(FOREIGN)
  end
  return {state = state, owner = owner, token = token, since = since, label = label, reason = reason}, nil
end

local function micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Sets the token counter. It outlives the moment when the clock alone gives greater tokens.
local function count(key, token, now)
  redis.call('SET', key, text(token), 'PX', text(math.max(token - now, 0) / 1000 + IDLE))
end

-- Sends a message to the claim of an entry in the queue. Answers how many heard it.
local function send(entry, word)
  local channel, number = string.match(entry, '^%x+ (%S+) (%d+)$')
  return redis.call('PUBLISH', channel, word .. ' ' .. number)
end

-- Keeps a free lock for the first in the queue and calls it. The second, and a little later the last, look whether it came: the last
-- is the one that was alive most recently. A claim that cannot be reached is removed, where the number of listeners tells. Answers
-- whether a claim was called.
local function callNext(lock, queue, reachable)
  local line = redis.call('ZRANGE', queue, 0, 1, 'WITHSCORES')
  while line[1] do
    if string.sub(line[2], 1, 1) ~= '-' and (send(line[1], 'call') > 0 or reachable == 'unknown') then
      redis.call('ZADD', queue, '-inf', line[1])
      redis.call('SET', lock, 'called ' .. string.match(line[1], '^%x+'), 'PX', CONFIRM)
      if line[3] then
        send(line[3], 'next')
        local last = redis.call('ZRANGE', queue, -1, -1)[1]
        if last ~= line[3] then
          send(last, 'last')
        end
      end
      return true
    end
    redis.call('ZREM', queue, line[1])
    line = redis.call('ZRANGE', queue, 0, 1, 'WITHSCORES')
  end
  return false
end
