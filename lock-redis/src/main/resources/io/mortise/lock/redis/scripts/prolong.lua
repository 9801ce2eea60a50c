-- The short way of a renewal: makes the leases of locks longer that are held as usual. KEYS: the locks, of one slot or server. ARGV: the owner of
-- each; then the lease of each in ms, or one for all. Answers 1 for each that it has renewed, and 0 for each that renew.lua is to look at.
-- A command that counts as a write reads: a replica refuses it.

local answers = {}
for i = 1, #KEYS do
  local found = redis.pcall('GETEX', KEYS[i])
  local held = 'held ' .. ARGV[i] .. ' '
  if type(found) == 'string' and string.sub(found, 1, #held) == held then
    redis.call('PEXPIRE', KEYS[i], ARGV[#KEYS + i] or ARGV[#KEYS + 1])
    answers[i] = 1
  else
    answers[i] = 0
  end
end
return answers
