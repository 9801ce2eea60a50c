-- One try. KEYS: lock, token counter, queue, mark of the claim's end. ARGV: owner, lease in ms, label, token floor, number of
-- tokens, entry in the queue ('' = does not wait), 'known' or 'unknown' (whether PUBLISH tells if anybody listens).
-- Answers {1, token} or {0, ms until another try makes sense; -1 = never}.

local lock, counter, queue, ended = unpack(KEYS)
local owner, lease, label, floor, tokens, entry, reachable = unpack(ARGV)

local function grant()
  local now = micros()
  local first = math.max(tonumber(redis.call('GET', counter) or 0) + 1, floor + 1, now)
  redis.call('SET', lock, table.concat({'held', owner, text(first), text(now), label}, ' '), 'PX', lease)
  count(counter, first + tokens - 1, now)
  return {1, text(first)}
end

-- Adds the claim at the end of the queue, or shows that it is alive if it is in there. A claim that was called and did not come was removed.
local function enqueue()
  local now = text(micros())
  if redis.call('ZADD', queue, 'NX', now, entry) == 0 then
    local arrived = redis.call('ZSCORE', queue, entry)
    if string.sub(arrived, 1, 1) == '-' then
      redis.call('ZADD', queue, arrived == '-inf' and now or string.sub(arrived, 2), entry)
    end
  end
  redis.call('PEXPIRE', queue, QUEUE)
end

-- Calls all in the queue to show that they are alive, and keeps the lock for nobody meanwhile.
local function callRoll()
  local line = redis.call('ZRANGE', queue, 0, 99, 'WITHSCORES')
  for i = 1, #line, 2 do
    redis.call('ZADD', queue, '-' .. line[i + 1], line[i])
    send(line[i], 'call')
  end
  redis.call('SET', lock, 'called 0', 'PX', ROLL)
end

-- Whether this claim may acquire the lock, which is free. A new claim lets those go first that are in the queue.
local function mayAcquire()
  if entry == '' then
    return true
  end
  local head = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
  if head[2] == '-inf' and head[1] ~= entry then
    -- The claim that was called did not come. Those behind it may be dead as well, and would cost time each.
    redis.call('ZREM', queue, head[1])
    head = redis.call('ZRANGE', queue, 0, 0)
    if head[1] and head[1] ~= entry then
      callRoll()
      return false
    end
  elseif head[2] and head[2] ~= '-inf' and string.sub(head[2], 1, 1) == '-' then
    -- All were called to show that they are alive, and some did not.
    enqueue()
    redis.call('ZREMRANGEBYSCORE', queue, '-inf', '(0')
    head = redis.call('ZRANGE', queue, 0, 0)
  end
  if head[1] == entry then
    redis.call('ZREM', queue, entry)
    return true
  end
  return not callNext(lock, queue, reachable)
end

if holder and holder.owner == owner then
  if holder.state == 'held' then
    redis.call('PEXPIRE', lock, lease)
    return {1, holder.token}
  elseif holder.state == 'called' then
    redis.call('ZREM', queue, entry)
    return grant()
  end
  return {0, redis.call('PTTL', lock)}
end
if redis.call('EXISTS', ended) == 1 then
  return {0, -1}
end
if not holder and mayAcquire() then
  return grant()
end
if entry ~= '' then
  enqueue()
end
local left = redis.call('PTTL', lock)
if left == -1 then
  return redis.error_reply(ENDLESS)
end
return {0, left}
