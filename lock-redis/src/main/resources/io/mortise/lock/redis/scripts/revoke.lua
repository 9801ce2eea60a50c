-- Takes a lock from its holder. KEYS: lock, queue, mark of the end of the holder's claim, token counter. ARGV: owner of the holder, reason, 'now'
-- or 'later', 'known' or 'unknown' (whether PUBLISH tells if anybody listens). Answers 1, or 0 if that owner does not hold the lock.

local lock, queue, ended, counter = unpack(KEYS)
local owner, reason, when, reachable = unpack(ARGV)

if not holder or holder.owner ~= owner then
  return 0
end
-- A grant that was not confirmed cannot be any more. Without one this changes nothing, but a server whose memory is full refuses SET except in a
-- script that has written before.
redis.call('ZREM', queue, holder.entry or '')
if when == 'now' then
  -- The mark stays until the holder learns of it, at a renewal within its lease.
  redis.call('SET', ended, reason, 'PX', math.max(redis.call('PTTL', lock), 1) + 60000)
  if not grantNext(lock, counter, queue, reachable, holder, 'watch') then
    redis.call('DEL', lock)
  end
else
  holder.number = since(lock, holder)
  holder.state, holder.reason = 'revoked', reason
  redis.call('SET', lock, write(holder), 'KEEPTTL')
end
return 1
