-- A write that a stale holder cannot make. KEYS: the data, the greatest token seen. ARGV: token, command, its arguments after the key.
-- Answers {1, the command's answer}, or {0} if a greater token was seen. The token seen never expires.

local token = tonumber(ARGV[1])
local seen = redis.call('GET', KEYS[2]) or '0'
if tonumber(seen) > token then
  return {0}
end
-- This changes nothing, and fails before the data is written if the token may not be.
redis.call('SET', KEYS[2], seen, 'XX')
local answer = redis.pcall(ARGV[2], KEYS[1], unpack(ARGV, 3))
if type(answer) == 'table' and answer.err then
  return answer
end
redis.call('SET', KEYS[2], ARGV[1])
return {1, answer}
