/** A signature: typed inputs, typed outputs and instructions. Types only. */
import type { Tool } from '@x/tool-core'
import type { TProperties } from 'typebox'

export interface Signature<In extends object = object, Out extends object = object> {
  readonly instructions: string
  readonly inputs: TProperties
  readonly outputs: TProperties
  /** Example messages that are sent before the conversation itself. */
  readonly examples?: readonly SignatureExample[] | undefined
  /** Carries types for the compiler. Doesn't exist at run time. */
  readonly '~types'?: { readonly in: In; readonly out: Out } | undefined
}

export type InputsOf<S extends Signature> = NonNullable<S['~types']>['in']
export type OutputsOf<S extends Signature> = NonNullable<S['~types']>['out']

/** Example inputs with the correct outputs. Outputs may be omitted. */
export interface SignatureExample<In extends object = object, Out extends object = object> {
  readonly inputs: PlainOf<In>
  readonly outputs?: Partial<Out> | undefined
}

/** The inputs other than tools, because tools come from the request. */
type PlainOf<In extends object> = {
  [Name in keyof In as In[Name] extends Tool | readonly Tool[] | undefined ? never : Name]: In[Name]
}
