-- One try. KEYS: lock, token counter, queue, mark of the claim's end. ARGV: owner, lease in ms, label, token floor, number of
-- tokens, entry in the queue ('' = does not wait), 'known' or 'unknown' (whether PUBLISH tells if anybody listens), and how closely a claim that
-- waits looks: 'new' = it has not been in the queue, 'known' = it knows when the lease ends, 'told' = it was told to look, 'watch' = it watches
-- over the grants, 'check' = once in a while if the last grant was confirmed, 'keep' = once in a while that the queue lives on, or ''.
-- Answers {1, token}, or {0, ms until another try makes sense, note}, where -1 = not told or never. The note is 'entered' if the claim was not in
-- the queue and is now, 'watch' if it is to watch over the grants, or ''.

local lock, counter, queue, ended = unpack(KEYS)
local owner, lease, label, floor, tokens, entry, reachable, look = unpack(ARGV)

-- If the memory is full, the first write fails: no new claim is granted the lock or enters the queue, and those in the queue are served.
local isNew = entry == '' or look == 'new'
local holder, foreign = read(lock, isNew and 'GET' or 'GETEX', found)
if foreign then
  return foreign
end

local function grant()
  local now = micros()
  local first = math.max(tonumber(redis.call('GET', counter) or 0) + 1, floor + 1, now)
  local last = first + tokens - 1
  redis.call('SET', lock, write({state = 'held', owner = owner, token = text(first), number = text(now), label = label, last = last,
    reserved = last}), 'PX', lease)
  count(counter, last, now)
  return {1, text(first)}
end

-- Says no, with a write: a replica must not say so.
local function refuse(left, note)
  if isNew then
    redis.call('GETEX', lock)
  end
  return {0, left, note}
end

-- Adds the claim at the end of the queue, or shows that it is alive if it is in there.
local function enqueue()
  if redis.call('ZADD', queue, 'NX', text(micros()), entry) == 0 then
    local arrived = redis.call('ZSCORE', queue, entry)
    if string.sub(arrived, 1, 1) == '-' then
      redis.call('ZADD', queue, string.sub(arrived, 2), entry)
    end
  end
  redis.call('PEXPIRE', queue, QUEUE)
end

-- Reserves tokens for all in the queue, so that the releases need not.
local function reserveForAll()
  local all = (redis.call('ZCARD', queue) + 1) * tokens
  if holder.reserved < holder.last + all then
    holder.reserved = reserve(counter, holder.last + 2 * all, micros())
    redis.call('SET', lock, write(holder), 'KEEPTTL')
  end
end

-- Calls all in the queue to show that they are alive, and keeps the lock for nobody meanwhile.
local function callRoll()
  local line = redis.call('ZRANGE', queue, 0, 99, 'WITHSCORES')
  for i = 1, #line, 2 do
    redis.call('ZADD', queue, '-' .. line[i + 1], line[i])
    send(line[i], 'call')
  end
  redis.call('SET', lock, 'roll', 'PX', ROLL)
end

-- Whether this claim may acquire the lock, which is free. A claim that waits lets those go first that are in the queue.
local function mayAcquire(absent)
  if entry == '' then
    return true
  end
  local head = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
  if head[2] and string.sub(head[2], 1, 1) == '-' then
    -- All were called to show that they are alive, and some did not.
    enqueue()
    redis.call('ZREMRANGEBYSCORE', queue, '-inf', '(0')
    head = redis.call('ZRANGE', queue, 0, 0)
  end
  if not head[1] then
    return true
  elseif head[1] == entry then
    redis.call('ZREM', queue, entry)
    return true
  elseif absent then
    -- Those behind a claim that did not confirm may be dead as well, and would cost time each.
    callRoll()
    return false
  end
  return not grantNext(lock, counter, queue, reachable, nil, '')
end

if holder and holder.owner == owner then
  if holder.state ~= 'revoked' then
    if entry ~= '' then
      redis.call('ZREM', queue, entry)
    end
    if holder.state == 'granted' and holder.number ~= lease then
      -- It was kept for longer than the lease.
      holder.state, holder.number = 'held', text(micros())
      redis.call('SET', lock, write(holder), 'KEEPTTL')
    end
    redis.call('PEXPIRE', lock, lease)
    return {1, holder.token}
  end
  return refuse(redis.call('PTTL', lock), '')
end
local place = entry ~= '' and redis.call('ZRANK', queue, entry)
if not place and redis.call('EXISTS', ended) == 1 then
  return refuse(-1, '')
end

local left = -1
local note = ''
local absent = false
local checks = not place or look == 'check' or look == 'watch' or place <= 1 and look ~= 'known'
if holder and holder.state == 'granted' and checks then
  local unconfirmed = redis.call('ZSCORE', queue, holder.entry)
  if unconfirmed or look == 'watch' then
    local age = holder.number - redis.call('PTTL', lock)
    if not unconfirmed then
      if age < SETTLED then
        left, note = WATCH, 'watch'
      end
    elseif age < CONFIRM then
      left, note = CONFIRM - age, 'watch'
    else
      redis.call('ZREM', queue, holder.entry)
      absent = true
    end
  end
end
if absent or not holder then
  if mayAcquire(absent) then
    return grant()
  end
  left, note = WATCH, 'watch'
end
if entry == '' then
  left = redis.call('PTTL', lock)
elseif not place or absent or holder and holder.state == 'roll' then
  enqueue()
  left = redis.call('PTTL', lock)
  if not place then
    note = 'entered'
  end
elseif note == '' and (place == 0 and look ~= 'known' or place <= 1 and look == 'told') then
  left = redis.call('PTTL', lock)
else
  if look == 'keep' then
    redis.call('PEXPIRE', queue, QUEUE)
  end
  return {0, left, note}
end
if left == -1 then
  return redis.error_reply(ENDLESS)
end
if not place and entry ~= '' and holder and not absent and holder.last then
  reserveForAll()
end
return entry == '' and refuse(left, note) or {0, left, note}
