-- Unlocks, leaves the queue, and ends a claim that is in doubt. KEYS: lock, queue, mark of the claim's end, token counter.
-- ARGV: owner, entry in the queue ('' = never waited, or has left it), ms for which a mark is left ('0' = none), 'known' or 'unknown' (whether
-- PUBLISH tells if anybody listens), 'watch' if the last in the queue is to watch over the next grant, else '', and 'free' if nobody held the
-- lock when the claim asked for it, else ''. Answers 'held', 'taken',
-- 'gone', or 'revoked REASON'.

local lock, queue, ended, counter = unpack(KEYS)
local owner, entry, mark, reachable, watch = unpack(ARGV)

local holder, foreign = read(lock, 'GETEX', found)
if foreign then
  return foreign
end
local left = entry ~= '' and redis.call('ZREM', queue, entry) == 1
local answer = 'gone'
if holder and holder.owner == owner then
  if not left then
    answer = 'held'
  end
  if not grantNext(lock, counter, queue, reachable, holder, watch) then
    redis.call('DEL', lock)
  end
else
  if left and holder and holder.line then
    for i, each in ipairs(holder.line) do
      if each == entry then
        table.remove(holder.line, i)
        redis.call('SET', lock, write(holder), 'KEEPTTL')
        break
      end
    end
  end
  local reason = redis.call('GET', ended)
  if reason and reason ~= '' then
    return 'revoked ' .. reason
  elseif holder then
    answer = 'taken'
  end
end
if mark ~= '0' then
  redis.call('SET', ended, '', 'PX', mark)
end
return answer
