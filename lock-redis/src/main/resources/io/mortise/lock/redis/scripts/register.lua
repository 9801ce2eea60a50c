-- An entry of the register, a version and a text with a blank between them. KEYS: the entry. ARGV: nothing, to read it; to write it, the version that
-- it must have, or nothing if there must be none, and the new entry. Answers the entry or nothing; of a write, 1, or 0 if the entry is another.
-- A write that is repeated finds what it has written.

local key = KEYS[1]
local expected, entry = unpack(ARGV)
-- GETEX counts as a write, so that a replica refuses the script, whose master may know what the replica does not.
local found = redis.call('GETEX', key)
if not entry then
  return found
elseif found == entry then
  return 1
elseif (found and string.match(found, '^%x+') or '') ~= expected then
  return 0
end
redis.call('SET', key, entry)
return 1
