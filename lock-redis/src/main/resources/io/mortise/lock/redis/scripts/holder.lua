-- What the scripts of one lock share; this text is put between common.lua and each. Reads the lock's holder; ends the script with an error if
-- the lock's key holds something that is no lock.

local holder, foreign = read(KEYS[1])
if foreign then
  return foreign
end

