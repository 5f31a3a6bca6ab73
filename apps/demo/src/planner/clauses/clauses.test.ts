import { describe, expect, it } from 'vitest'
import { tokenize } from '../words/token.ts'
import { splitClauses, textOfClause } from './clauses.ts'

const clausesOf = (text: string) => splitClauses(text, tokenize(text), () => false).map(textOfClause)

describe('splitClauses', () => {
  it.each([
    ['Find a book and then frobnicate it', ['Find a book', 'frobnicate it']],
    ['Find a book, borrow it; read it.', ['Find a book', 'borrow it;', 'read it.']],
    ['Find a book. Also show my list!', ['Find a book.', 'Also show my list!']],
    ["Show my list but don't read it", ['Show my list', "don't read it"]],
    ['Find salt and pepper', ['Find salt and pepper']],
    ['Write to Tom and Anna', ['Write to Tom and Anna']],
    ['Write "find it and read it" down', ['Write "find it and read it" down']],
    ['It costs 3.5 in the U.S. today', ['It costs 3.5 in the U.S. today']],
    ['', []],
    ['?!.', []],
  ])('splits %j', (text, clauses) => {
    expect(clausesOf(text)).toEqual(clauses)
  })

  it('accepts a verb from the name of a tool', () => {
    const text = 'Open the door and frobnicate the knob'
    const clauses = splitClauses(text, tokenize(text), ({ lower }) => lower === 'frobnicate')
    expect(clauses.map(textOfClause)).toEqual(['Open the door', 'frobnicate the knob'])
  })
})
