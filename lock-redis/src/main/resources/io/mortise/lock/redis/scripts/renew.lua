-- Renews many locks of one slot or server. KEYS: for each its lock and the mark of its claim's end. ARGV: for each its owner and lease in ms.
-- Answers for each 'held', 'taken', 'gone', 'foreign', or 'revoked REASON'.

local answers = {}
for i = 1, #KEYS, 2 do
  local holder, foreign = read(KEYS[i])
  local answer
  if foreign then
    answer = 'foreign'
  elseif holder and holder.owner == ARGV[i] and holder.state == 'held' then
    redis.call('PEXPIRE', KEYS[i], ARGV[i + 1])
    answer = 'held'
  elseif holder and holder.owner == ARGV[i] and holder.state == 'revoked' then
    answer = 'revoked ' .. holder.reason
  else
    if not holder then
      -- This changes nothing, but a replica refuses it: its master may know what the replica does not.
      redis.call('PEXPIRE', KEYS[i], ARGV[i + 1])
    end
    local reason = redis.call('GET', KEYS[i + 1])
    answer = reason and reason ~= '' and 'revoked ' .. reason or (holder and 'taken' or 'gone')
  end
  answers[#answers + 1] = answer
end
return answers
