-- Renews many locks of one slot or server. KEYS: for each its lock, the mark of its claim's end, and its queue. ARGV: for each its owner, its lease
-- in ms, and 'shorter' if the lease ends earlier than before, else 'longer'. Answers for each 'held', 'taken', 'gone', 'foreign', 'revoked REASON',
-- or 'ending REASON' if it was revoked and is held until the lease ends.

-- Calls the first two in the queue, who know when the lease would have ended: one of them may be dead.
local function tellEnd(queue)
  for _, entry in ipairs(redis.call('ZRANGE', queue, 0, 1)) do
    send(entry, 'call')
  end
end

local answers = {}
for i = 1, #KEYS, 3 do
  local lock, ended, queue = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local owner, lease, change = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local holder, foreign = read(lock)
  local answer
  if foreign then
    answer = 'foreign'
  elseif holder and holder.owner == owner and holder.state ~= 'revoked' then
    if holder.state == 'granted' then
      -- From now on, the length of the lease does not tell since when.
      holder.number = since(lock, holder)
      holder.state = 'held'
      redis.call('SET', lock, write(holder), 'KEEPTTL')
    end
    redis.call('PEXPIRE', lock, lease)
    answer = 'held'
    if change == 'shorter' then
      tellEnd(queue)
    end
  elseif holder and holder.owner == owner then
    answer = 'ending ' .. holder.reason
  else
    local reason = redis.call('GET', ended)
    answer = reason and reason ~= '' and 'revoked ' .. reason or (holder and 'taken' or 'gone')
  end
  answers[#answers + 1] = answer
end
return answers
