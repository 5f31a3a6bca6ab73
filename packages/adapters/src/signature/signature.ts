/** A signature: typed fields in, typed fields out, and what to do. Types only. */
import type { Tool } from '@x/tool-core'
import type { TProperties } from 'typebox'

export interface Signature<In extends object = object, Out extends object = object> {
  readonly instructions: string
  readonly inputs: TProperties
  readonly outputs: TProperties
  /** Told to the model as earlier turns, before anything that was really said. */
  readonly examples?: readonly SignatureExample[] | undefined
  /** Types only; absent at run time. */
  readonly '~types'?: { readonly in: In; readonly out: Out } | undefined
}

export type InputsOf<S extends Signature> = NonNullable<S['~types']>['in']
export type OutputsOf<S extends Signature> = NonNullable<S['~types']>['out']

/** One worked case: inputs, and the outputs that are right for them. Outputs that are not known may be left out. */
export interface SignatureExample<In extends object = object, Out extends object = object> {
  readonly inputs: PlainOf<In>
  readonly outputs?: Partial<Out> | undefined
}

/** The inputs but for the tools, which a request tells of anyway. */
type PlainOf<In extends object> = {
  [Name in keyof In as In[Name] extends Tool | readonly Tool[] | undefined ? never : Name]: In[Name]
}
