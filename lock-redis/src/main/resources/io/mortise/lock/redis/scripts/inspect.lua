-- Who holds a lock. KEYS: lock, queue. Answers nothing, or {owner, token, microseconds held, label, reason, ms left, waiters}. Reads only.

if not holder or holder.state == 'called' then
  return false
end
local left = redis.call('PTTL', KEYS[1])
local waiters = redis.call('ZCARD', KEYS[2])
return {holder.owner, holder.token, text(math.max(micros() - holder.since, 0)), holder.label, holder.reason, left, waiters}
