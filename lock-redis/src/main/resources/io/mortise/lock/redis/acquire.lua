-- One try. KEYS: lock, token counter, queue, mark of the claim's end. ARGV: owner, lease in ms, label, fence floor, number of
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

-- Everybody before this claim lets it pass, since the one who was called did not come. Who is alive comes back to the end of the line.
local function pass(arrived)
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', queue, '-inf', '(' .. arrived, 'LIMIT', 0, 100)) do
    tell(other, 'call')
  end
  redis.call('ZREMRANGEBYSCORE', queue, '-inf', arrived)
end

-- Of a free lock: whether this claim may have it. A newcomer lets those go first who stand in line.
local function mayHave()
  if place == '' then
    return true
  end
  while true do
    local head = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
    if not head[1] then
      return true
    end
    local didNotCome = tonumber(head[2]) < 0
    local arrived = redis.call('ZSCORE', queue, place)
    if head[1] == place then
      redis.call('ZREM', queue, place)
      return true
    elseif didNotCome and arrived then
      pass(arrived)
      return true
    elseif didNotCome then
      redis.call('ZREM', queue, head[1])
    else
      return not callNext(lock, queue, reachable)
    end
  end
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
  redis.call('ZADD', queue, 'NX', text(micros()), place)
  redis.call('PEXPIRE', queue, QUEUE)
end
local left = redis.call('PTTL', lock)
if left == -1 then
  return redis.error_reply(ENDLESS)
end
return {0, left}
