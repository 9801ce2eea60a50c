-- Unlocks, leaves the queue, and ends a claim that is in doubt. KEYS: lock, queue, mark of the claim's end.
-- ARGV: owner, entry in the queue ('' = never waited), ms for which a mark is left ('0' = none), 'known' or 'unknown' (whether PUBLISH tells
-- if anybody listens). Answers 'held', 'taken', 'gone', or 'revoked REASON'.

local lock, queue, ended = unpack(KEYS)
local owner, entry, mark, reachable = unpack(ARGV)

if entry ~= '' or not holder then
  -- Without an entry this changes nothing, but a replica refuses it: its master may know what the replica does not.
  redis.call('ZREM', queue, entry)
end
local answer = 'gone'
if holder and holder.owner == owner then
  if holder.state ~= 'called' then
    answer = 'held'
  end
  redis.call('DEL', lock)
  callNext(lock, queue, reachable)
else
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
