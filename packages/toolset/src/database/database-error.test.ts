import { describe, expect, it } from 'vitest'
import { cleanWords } from './database-error.ts'

describe('cleanWords', () => {
  it.each([
    ['unable to open database: /home/me/secret.db', 'unable to open database: [path]'],
    ["could not open file '/etc/passwd' for reading", "could not open file '[path]' for reading"],
    ["EACCES: permission denied, open '/home/Ann Smith/shop, new.db'", "EACCES: permission denied, open '[path]'"],
    ['could not open file "C:\\Users\\Ann Smith\\a.db": denied', 'could not open file "[path]": denied'],
    ['no file C:\\Users\\me\\data.sqlite', 'no file [path]'],
    ['cannot reach postgres://me:hunter2@host:5432/place?x=1', 'cannot reach [address]'],
    ['near "/": syntax error in a/b and 1/2', 'near "/": syntax error in a/b and 1/2'],
  ])('turns %j into %j', (message, cleaned) => {
    expect(cleanWords(message)).toBe(cleaned)
  })

  it('keeps a message short, even one that is made to take long', () => {
    for (const piece of ['/', 'a/', '://', '\\', 'x']) expect(cleanWords(piece.repeat(1_000_000)).length).toBeLessThan(600)
  })
})
