-- One try. KEYS: lock, token counter, queue, mark of the claim's end. ARGV: owner, lease in ms, label, token floor, number of
-- tokens, place in the queue ('' = does not wait), 'known' or 'unknown' (whether PUBLISH tells if anybody listens).
-- Answers {1, token} or {0, ms until it is worth looking again; -1 = never}.

local lock, counter, queue, ended = unpack(KEYS)
local owner, lease, label, floor, tokens, place, reachable = unpack(ARGV)

local function grant()
  local now = micros()
  local first = math.max(tonumber(redis.call('GET', counter) or 0) + 1, floor + 1, now)
  redis.call('SET', lock, table.concat({'held', owner, text(first), text(now), label}, ' '), 'PX', lease)
  count(counter, first + tokens - 1, now)
  return {1, text(first)}
end

-- Takes a place at the end of the line, or shows that whoever has one is alive. Who was called and did not come lost it.
local function stand()
  local now = text(micros())
  if redis.call('ZADD', queue, 'NX', now, place) == 0 then
    local arrived = redis.call('ZSCORE', queue, place)
    if string.sub(arrived, 1, 1) == '-' then
      redis.call('ZADD', queue, arrived == '-inf' and now or string.sub(arrived, 2), place)
    end
  end
  redis.call('PEXPIRE', queue, QUEUE)
end

-- Asks everybody in line to show up, and keeps the lock for nobody meanwhile.
local function callRoll()
  local line = redis.call('ZRANGE', queue, 0, 99, 'WITHSCORES')
  for i = 1, #line, 2 do
    redis.call('ZADD', queue, '-' .. line[i + 1], line[i])
    tell(line[i], 'call')
  end
  redis.call('SET', lock, 'called 0', 'PX', ROLL)
end

-- Of a free lock: whether this claim may have it. A newcomer lets those go first who stand in line.
local function mayHave()
  if place == '' then
    return true
  end
  local head = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
  if head[2] == '-inf' and head[1] ~= place then
    -- Who was called did not come. Neither may those behind it, and they would cost a second each.
    redis.call('ZREM', queue, head[1])
    head = redis.call('ZRANGE', queue, 0, 0)
    if head[1] and head[1] ~= place then
      callRoll()
      return false
    end
  elseif head[2] and head[2] ~= '-inf' and string.sub(head[2], 1, 1) == '-' then
    -- The roll was called, and some did not show up.
    stand()
    redis.call('ZREMRANGEBYSCORE', queue, '-inf', '(0')
    head = redis.call('ZRANGE', queue, 0, 0)
  end
  if head[1] == place then
    redis.call('ZREM', queue, place)
    return true
  end
  return not callNext(lock, queue, reachable)
end

local holder, foreign = read(lock)
if foreign then
  return foreign
end
if holder and holder.owner == owner then
  if holder.state == 'held' then
    redis.call('PEXPIRE', lock, lease)
    return {1, holder.token}
  elseif holder.state == 'called' then
    redis.call('ZREM', queue, place)
    return grant()
  end
  return {0, redis.call('PTTL', lock)}
end
if redis.call('EXISTS', ended) == 1 then
  return {0, -1}
end
if not holder and mayHave() then
  return grant()
end
if place ~= '' then
  stand()
end
local left = redis.call('PTTL', lock)
if left == -1 then
  return redis.error_reply(ENDLESS)
end
return {0, left}
