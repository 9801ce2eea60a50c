-- How scripts on locks run their commands; this text is put in front of each. An error before any write means that the script has changed
-- nothing: it is the script's answer as it is. An error after a write begins with MORTISE-PARTIAL.

local server = redis
local READS = {EXISTS = true, GET = true, GETEX = true, PTTL = true, TIME = true, ZCARD = true, ZRANGE = true, ZRANK = true, ZSCORE = true}
local wrote = false
local redis = setmetatable({}, {__index = server})

function redis.call(command, ...)
  if not wrote then
    wrote = not READS[command]
    return server.call(command, ...)
  end
  local reply = server.pcall(command, ...)
  if type(reply) == 'table' and reply.err then
    error('MORTISE-PARTIAL ' .. reply.err, 0)
  end
  return reply
end

