-- Which commands of the other scripts this user may not run. KEYS: a key that nobody uses. ARGV: a channel that nobody listens on. Changes
-- nothing, and publishes one message to nobody. Answers the names of the commands; on a replica, the error that tells so.

local key, channel = KEYS[1], ARGV[1]
local missing = {}
for _, command in ipairs({
  {'DEL', key},
  {'EXISTS', key},
  {'GET', key},
  {'GETEX', key},
  {'PEXPIRE', key, 1},
  {'PTTL', key},
  {'PUBLISH', channel, ''},
  {'SET', key, '', 'XX', 'PX', 1},
  {'TIME'},
  {'ZADD', key, 'XX', 0, ''},
  {'ZCARD', key},
  {'ZRANGE', key, 0, 0},
  {'ZRANK', key, ''},
  {'ZREM', key, ''},
  {'ZREMRANGEBYSCORE', key, 0, 0},
  {'ZSCORE', key, ''},
}) do
  local reply = redis.pcall(unpack(command))
  local refusal = type(reply) == 'table' and reply.err or ''
  if string.find(refusal, 'READONLY', 1, true) then
    return reply
  elseif string.find(refusal, 'user executing the script', 1, true) or string.find(refusal, 'ACL failure', 1, true) then
    missing[#missing + 1] = string.lower(command[1])
  end
end
return missing
