-- What all scripts on locks share; this text is put in front of each. A lock has three keys in one slot: its holder, its token counter, its queue.
--
-- The holder's key lives exactly as long as the lease and says one of
--   held OWNER TOKEN SINCE LABEL LAST RESERVED             since: server time in microseconds
--   revoked OWNER TOKEN SINCE LABEL LAST RESERVED REASON   renewals are refused
--   granted OWNER TOKEN LEASE LABEL LAST RESERVED|ENTRY|…  by the release before, for LEASE milliseconds, to a claim of the queue, which confirms
--                                                          by leaving the queue; then come those that are next in the queue
--   roll                                                   free, and kept for nobody while all in the queue show that they are alive, for ROLL ms
-- LAST is the last token of the grant. Tokens up to RESERVED can be given to the next holders without a look at the counter, which is not less.
--
-- The queue is a sorted set of entries "OWNER CHANNEL NUMBER LEASE TOKENS FLOOR LABEL", by time of arrival. The score of a claim that is to show
-- that it is alive is minus its time of arrival, until it tries.

local CONFIRM = 600   -- how long a claim that was granted a lock is given to confirm that, in ms
local SHORTEST = 2000 -- how long a grant lasts at least that is not confirmed: others must have time to find out, in ms
local ROLL = 250      -- how long all in the queue have to show that they are alive, in ms
local WATCH = 700     -- how long after a grant the last in the queue looks whether it was confirmed, in ms
local SETTLED = 2000  -- a holder of that age has the next one watched by itself, in ms
local IDLE = 600000   -- how long a token counter outlives the time that it stands for, in ms
local QUEUE = 600000  -- how long a queue lives that nobody looks at, in ms
local LINE = 8        -- how many of the queue are read at once
local RESERVE = 100   -- how many tokens are reserved at once, at least
local FOREIGN = 'MORTISE-FOREIGN the key of the lock holds something that is no lock; look at it, then delete it'
local ENDLESS = 'MORTISE-ENDLESS the key of the lock has no time to live; look at it, then delete it'

local function text(number)
  return string.format('%.0f', number)
end

-- The holder, or nothing if the lock is free; and an error if the key holds something that is no lock. Without another command, GETEX reads: it
-- counts as a write, so that a replica refuses the script, whose master may know what the replica does not. What was found already is not read.
local function read(key, command, value)
  command = command or 'GETEX'
  if value == nil then
    value = redis.pcall(command, key)
  end
  if not value then
    return nil, nil
  elseif type(value) == 'table' then
    if string.find(value.err, 'WRONGTYPE', 1, true) then
      return nil, redis.error_reply(FOREIGN)
    end
    redis.call(command, key) -- fails again, for all of the script
  elseif value == 'roll' then
    return {state = 'roll', owner = ''}, nil
  end
  local said, line = string.match(value, '^([^|]*)(.*)$')
  local state, owner, token, number, label, last, reserved, reason =
    string.match(said, '^(%l+) (%x+) (%d+) (%d+) (%S+) (%d+) (%d+) ?(%S*)$')
  if (state ~= 'held' and state ~= 'revoked' and state ~= 'granted') or not token then
    return nil, redis.error_reply(FOREIGN)
  end
  local holder = {state = state, owner = owner, token = token, number = number, label = label, last = tonumber(last),
    reserved = tonumber(reserved), reason = reason, line = {}}
  for entry in string.gmatch(line, '|([^|]+)') do
    holder.line[#holder.line + 1] = entry
  end
  holder.entry = table.remove(holder.line, 1)
  return holder, nil
end

-- What the key of a holder says.
local function write(holder)
  local value = table.concat({holder.state, holder.owner, holder.token, holder.number, holder.label, text(holder.last),
    text(holder.reserved)}, ' ')
  if holder.state == 'revoked' then
    return value .. ' ' .. holder.reason
  elseif holder.state == 'granted' then
    return table.concat({value, holder.entry, unpack(holder.line)}, '|')
  end
  return value
end

local function micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Since when a holder has the lock, in microseconds of server time. A grant that was never renewed is as old as its lease is short.
local function since(lock, holder)
  if holder.state == 'granted' then
    return text(micros() - (holder.number - redis.call('PTTL', lock)) * 1000)
  end
  return holder.number
end

-- Sets the token counter. It outlives the moment when the clock alone gives greater tokens.
local function count(key, token, now)
  redis.call('SET', key, text(token), 'PX', text(math.max(token - now, 0) / 1000 + IDLE))
end

-- Reserves tokens, up to one at least. Answers the last of them.
local function reserve(counter, least, now)
  local reserved = math.max(tonumber(redis.call('GET', counter) or 0), least)
  count(counter, reserved, now)
  return reserved
end

-- Sends a message to the claim of an entry in the queue. Answers how many heard it.
local function send(entry, word, more)
  local channel, number = string.match(entry, '^%x+ (%S+) (%d+)')
  return redis.call('PUBLISH', channel, word .. ' ' .. number .. (more or ''))
end

-- Grants the lock to the first in the queue, and tells it alone. Its tokens follow those of the holder before; if there was none, they come from
-- the counter and the clock. A claim that cannot be reached is removed, where the number of listeners tells. If told to 'watch', lets the last
-- in the queue look whether the grant is confirmed: that one was alive most recently. Answers whether the lock was granted; if not, its key is to be
-- written or deleted.
local function grantNext(lock, counter, queue, reachable, before, watch)
  local line = before and before.line or {}
  local last, reserved
  if before then
    last, reserved = before.last, before.reserved
  else
    last, reserved = math.max(tonumber(redis.call('GET', counter) or 0), micros() - 1), 0
  end
  while true do
    if not line[1] then
      line = redis.call('ZRANGE', queue, 0, LINE - 1)
    end
    local entry = table.remove(line, 1)
    if not entry then
      return false
    end
    local owner, lease, tokens, floor, label = string.match(entry, '^(%x+) %S+ %d+ (%d+) (%d+) (%d+) (%S+)$')
    if owner then
      local first = math.max(last, tonumber(floor)) + 1
      last = first + tokens - 1
      if last > reserved then
        reserved = reserve(counter, last + RESERVE, micros())
      end
      -- Before the message: whatever fails after that, nobody is told of a grant that was not made.
      local kept = text(math.max(lease, SHORTEST))
      redis.call('SET', lock, write({state = 'granted', owner = owner, token = text(first), number = kept, label = label,
        last = last, reserved = reserved, entry = entry, line = line}), 'PX', kept)
      if send(entry, 'granted', ' ' .. owner .. ' ' .. text(first)) > 0 or reachable == 'unknown' then
        local tail = watch == 'watch' and redis.call('ZRANGE', queue, -1, -1)[1]
        if tail and tail ~= entry then
          send(tail, 'watch')
        end
        return true
      end
    end
    redis.call('ZREM', queue, entry)
  end
end
