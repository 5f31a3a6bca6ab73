import { defineSignature } from '@x/adapters'
import { Type } from 'typebox'
import * as v from 'valibot'

defineSignature({ instructions: 'Answer.', inputs: { question: v.string() }, outputs: { answer: Type.String() } })
