-- Raises the token counter, if the claim holds the lock. KEYS: lock, token counter. ARGV: owner, token. Answers 1 or 0.

if not holder or holder.owner ~= ARGV[1] or holder.state == 'called' then
  return 0
end
local token = tonumber(ARGV[2])
if tonumber(redis.call('GET', KEYS[2]) or 0) <= token then
  count(KEYS[2], token, micros())
end
return 1
