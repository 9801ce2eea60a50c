-- The short way of a try, put in front of acquire.lua and of what that needs: if a claim asks for the first time, the lock is free, its queue is empty
-- and the claim has not ended, it does what acquire.lua would do, before any of that is defined. Defining takes longer than all else.

local found = nil -- what the holder's key said, or false; not asked of a claim that was in the queue
if ARGV[6] == '' or ARGV[8] == 'new' then
  found = redis.pcall('GET', KEYS[1])
  if not found and redis.call('EXISTS', KEYS[3], KEYS[4]) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local first = math.max(tonumber(redis.call('GET', KEYS[2]) or 0) + 1, ARGV[4] + 1, now)
    local token = string.format('%.0f', first)
    local last = string.format('%.0f', first + ARGV[5] - 1)
    local since = string.format('%.0f', now)
    redis.call('SET', KEYS[1], table.concat({'held', ARGV[1], token, since, ARGV[3], last, last}, ' '), 'PX', ARGV[2])
    local ahead = math.max(last - now, 0) / 1000
    local counted = redis.pcall('SET', KEYS[2], last, 'PX', string.format('%.0f', ahead + 600000))
    if counted.err then
      error('MORTISE-PARTIAL ' .. counted.err, 0)
    end
    return {1, token}
  end
end

