/** Idioms of plain English that express a request without its usual verb: "don't let me forget" means "remind me". */

import { stem } from './stem.ts'
import { type Token, tokenize } from './token.ts'

/** Replaces idioms with plain words. The new words have the position of the idiom in the text. */
export function withoutIdioms(tokens: readonly Token[]): Token[] {
  const plain: Token[] = []
  let index = 0
  while (index < tokens.length) {
    const found = IDIOMS.find(({ words }) =>
      words.every((word, offset) => tokens[index + offset]?.lower.replace('’', "'") === word),
    )
    const token = tokens[index] as Token
    if (found === undefined) plain.push(token)
    else {
      const last = tokens[index + found.words.length - 1] as Token
      for (const lower of found.meaning)
        plain.push({ kind: 'word', text: lower, lower, stem: stem(lower), start: token.start, end: last.end })
    }
    index += found?.words.length ?? 1
  }
  return plain
}

interface Idiom {
  readonly words: readonly string[]
  readonly meaning: readonly string[]
}

const TABLE = `
don't let me forget = remind me
dont let me forget = remind me
do not let me forget = remind me
make sure i don't forget = remind me
help me remember to = remind me to
ping me = remind me
nudge me = remind me
alert me = remind me
get rid of = remove
put me down for = register me for
count me in for = register me for
sign me up for = register me for
remember to tell me = remind me
remember to remind me = remind me
make a note that = remember that
make a note of = remember
note down = remember
jot down = remember
write down = remember
keep in mind = remember
set aside = move
put aside = move
pls = please
plz = please
do you sell any = show
do you stock any = show
have you got any = show
lately =
recently =
so far =
right now =
at the moment =
at present =
by any chance =
on file =
as of today =
these days =
`

const IDIOMS: readonly Idiom[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [idiom = '', meaning = ''] = line.split('=').map((part) => part.trim())
    return { words: tokenize(idiom).map(({ lower }) => lower), meaning: tokenize(meaning).map(({ lower }) => lower) }
  })
