import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { defineSignature } from './define-signature.ts'
import { outputsSchema } from './outputs-schema.ts'
import { ToolCalls, Tools } from './tool-fields.ts'

const signature = defineSignature({
  instructions: '',
  inputs: { tools: Tools() },
  outputs: { city: Type.String(), unit: Type.String({ default: 'C' }), note: Type.Optional(Type.String()), calls: ToolCalls() },
})

it('contains the plain outputs, and requires those that are neither optional nor have a default', () => {
  expect(outputsSchema(signature)).toEqual({
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', default: 'C' }, note: { type: 'string' } },
    required: ['city'],
  })
})

it('is the same object for the same signature', () => {
  expect(outputsSchema(signature)).toBe(outputsSchema(signature))
})
