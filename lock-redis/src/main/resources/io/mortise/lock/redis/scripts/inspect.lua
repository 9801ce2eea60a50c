-- Who holds a lock. KEYS: lock, queue. Answers nothing, or {owner, token, microseconds held, label, reason, ms left, waiters}. Changes nothing.

if not holder or holder.state == 'roll' then
  return false
end
local left = redis.call('PTTL', KEYS[1])
local waiters = redis.call('ZCARD', KEYS[2])
if holder.entry and redis.call('ZSCORE', KEYS[2], holder.entry) then
  waiters = waiters - 1
end
return {holder.owner, holder.token, text(math.max(micros() - since(KEYS[1], holder), 0)), holder.label, holder.reason, left, waiters}
