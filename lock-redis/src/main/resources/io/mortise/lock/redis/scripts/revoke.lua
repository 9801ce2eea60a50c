-- Takes a lock from its holder. KEYS: lock, queue, mark of the end of the holder's claim. ARGV: owner of the holder, reason, 'now' or 'later',
-- 'known' or 'unknown' (whether PUBLISH tells if anybody listens). Answers 1, or 0 if that owner does not hold the lock.

local lock, queue, ended = unpack(KEYS)
local owner, reason, when, reachable = unpack(ARGV)

if not holder or holder.owner ~= owner or holder.state == 'called' then
  return 0
end
-- This changes nothing. A server whose memory is full refuses SET, but not in a script that has written before.
redis.call('ZREM', queue, '')
if when == 'now' then
  -- The mark stays until the holder learns of it, at a renewal within its lease.
  redis.call('SET', ended, reason, 'PX', math.max(redis.call('PTTL', lock), 1) + 60000)
  redis.call('DEL', lock)
  callNext(lock, queue, reachable)
else
  local value = table.concat({'revoked', owner, holder.token, holder.since, holder.label, reason}, ' ')
  redis.call('SET', lock, value, 'KEEPTTL')
end
return 1
