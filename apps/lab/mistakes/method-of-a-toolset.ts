import { method, Toolset } from '@x/toolset'
import { z } from 'zod'

class Notes extends Toolset {
  readonly name = 'notes'
  readonly add = method({ description: 'Adds a note.', args: { text: z.string() }, execute: ({ text }) => text })
}
void new Notes()
