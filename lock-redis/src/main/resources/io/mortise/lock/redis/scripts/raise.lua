-- Raises the token counter, if the claim holds the lock. KEYS: lock, token counter. ARGV: owner, token. Answers 1 or 0.

if not holder or holder.owner ~= ARGV[1] then
  return 0
end
local token = tonumber(ARGV[2])
if tonumber(redis.call('GET', KEYS[2]) or 0) <= token then
  count(KEYS[2], token, micros())
end
if holder.last < token then
  -- The tokens of the next holders follow these, and not the counter.
  holder.last = token
  holder.reserved = math.max(holder.reserved, token)
  redis.call('SET', KEYS[1], write(holder), 'KEEPTTL')
end
return 1
