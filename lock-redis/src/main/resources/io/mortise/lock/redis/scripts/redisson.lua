-- A lock as Redisson's RLock keeps it: a hash that ends with the lease, at the name of the lock, with a field for the holder.
-- KEYS[1]: the lock. ARGV[1]: what to do; but for 'inspect' ARGV[2]: the field of the asker;
-- for 'acquire' and 'renew' ARGV[3]: the lease in ms; for 'release' ARGV[3]: the channel of those who wait.
-- Answers 'held', 'gone', or 'taken' and for how many ms; for 'inspect' the field and the ms, or nothing.

local lock, what, field = KEYS[1], ARGV[1], ARGV[2]

if what == 'inspect' then
    local fields = redis.call('hkeys', lock)
    return fields[1] and {fields[1], redis.call('pttl', lock)} or {}
end

local is_mine = redis.call('hexists', lock, field) == 1
if not is_mine and redis.call('exists', lock) == 1 then
    return {'taken', redis.call('pttl', lock)}
end
if not is_mine and what ~= 'acquire' then
    return {'gone'}
end

if what == 'release' then
    redis.call('del', lock)
    redis.call('publish', ARGV[3], '0')
else
    redis.call('hset', lock, field, 1)
    redis.call('pexpire', lock, ARGV[3])
end
return {'held'}
