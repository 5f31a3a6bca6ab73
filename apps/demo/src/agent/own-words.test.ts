import { expect, it } from 'vitest'
import { ownWordOf } from './own-words.ts'

it.each(['help', 'Help!', '/help', '?', 'What can you do?', '  what can I ask ', 'How does this work?'])(
  '%j asks what the program can do',
  (request) => expect(ownWordOf(request)).toBe('help'),
)

it.each(['exit', 'Exit.', '/exit', 'quit', 'Bye!', 'Good-bye'])('%j ends the program', (request) =>
  expect(ownWordOf(request)).toBe('exit'),
)

it.each(['Help me find a laptop', 'What can you do about my order?', 'Exit the queue', '/new', ''])(
  '%j is a request for the model',
  (request) => expect(ownWordOf(request)).toBeUndefined(),
)
