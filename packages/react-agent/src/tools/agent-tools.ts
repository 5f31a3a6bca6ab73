/** Types that are inferred from the tools of an agent. Types only. */
import type { LazyTool, NamedTools, Registry } from '@x/registry'
import type { ArgsOf, OutputOf, Tool, ToolCall } from '@x/tool-core'
import type { FailedCall, FinishedCall, SucceededCall } from '../calls/finished-call.ts'

/** The tools that an agent's `tools` provide, as a union. `Tool` if their names aren't known. */
export type ToolsOf<Tools> =
  Tools extends Registry<infer Named> ? Named[keyof Named] : Tools extends readonly (infer Entry)[] ? ToolOf<Entry> : Tool

type ToolOf<Entry> =
  Entry extends LazyTool<string, infer T>
    ? T
    : Entry extends { tools(): readonly (infer T)[] | Promise<readonly (infer T)[]> }
      ? T
      : Entry extends Tool
        ? Entry extends Program
          ? Entry | Tool<Entry['nested'][number]>
          : Entry
        : Tool

/** A tool such as `codeTool`, whose type contains the names of the tools that it calls, but not their outputs. */
type Program = { readonly nested: readonly string[] }

/** The tools that an agent can find by search. None if their names aren't known. */
export type FoundIn<Search> = Search extends { readonly registry: infer Searched } ? NamesOf<Searched> : NamesOf<Search>

type NamesOf<Search> = Search extends Registry<infer Named> ? (NamedTools extends Named ? never : Named[keyof Named]) : never

/** The calls in the events and the trajectory of an agent, if the names of its tools aren't known. */
export interface AgentCalls {
  readonly name: string
  /** A call before its arguments are validated. */
  readonly started: ToolCall
  readonly finished: FinishedCall
}

/** The calls of an agent with these tools, as a union. The name of a call narrows it. */
export type CallsOf<T> = Tool extends T ? AgentCalls : NamedCalls<T>

/** The calls of an agent with these tools. */
// The variance is declared with `out`, because the compiler can't infer it for conditional types, and would treat all agents as the same
// type.
export interface NamedCalls<out T> extends AgentCalls {
  readonly name: CallName<T>
  readonly started: StartedOf<T> | StartedCall<ReservedName | OtherName>
  readonly finished: SucceededOf<T> | SucceededCall<ReservedName | OtherName> | FailedCall<CallName<T>>
}

type StartedOf<T> = T extends Tool ? StartedToolCall<T> : never

type SucceededOf<T> = T extends Tool ? SucceededToolCall<T> : never

// These are interfaces, so that the compiler resolves the arguments and the output of a tool only where they are used.
/** A call to one of these tools, before its arguments are validated. */
export interface StartedToolCall<out T extends Tool> extends StartedCall {
  readonly name: T['name']
  readonly args: Unvalidated<ArgsOf<T>>
}

/** A successful call to one of these tools. */
export interface SucceededToolCall<out T extends Tool> extends SucceededCall {
  readonly name: T['name']
  readonly args: ArgsJson<ArgsOf<T>>
  readonly output: OutputJson<OutputOf<T>>
}

/** A call with arguments that haven't been validated. */
export interface StartedCall<Name extends string = string, Args = ToolCall['args']> {
  readonly id: string
  readonly name: Name
  readonly args: Args
}

/** The model may have written any value, or left an argument out. */
type Unvalidated<Args> = [keyof Args] extends [never] ? ToolCall['args'] : { readonly [Name in keyof Args]?: unknown }

type ArgsJson<Args> = [keyof Args] extends [never] ? ToolCall['args'] : { [Name in keyof Args]: JsonOf<Args[Name]> }

type CallName<T> = (T extends { readonly name: infer Name extends string } ? Name : never) | ReservedName | OtherName

/** Names of the tools that agents add themselves. */
export type ReservedName = 'submit' | 'finish' | 'read_result' | 'search_tools' | 'call_tool'

/**
 * Only a type: `OtherNames.any` stands for a name that isn't one of an agent's known tools, such as a name that the model made up. At run
 * time, it is any string. An enum is assignable to `string`, but the compiler doesn't mistake it for the name of a tool.
 */
export declare enum OtherNames {
  any = '',
}

/** A name that isn't the name of one of an agent's known tools. */
export type OtherName = OtherNames.any

/** The type of `JSON.parse(JSON.stringify(value))`. A `Date` becomes a string, and a `Map` any JSON value. */
export type JsonOf<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends bigint | Date
      ? string
      : Value extends readonly unknown[]
        ? { [Index in keyof Value]: JsonOf<Value[Index]> }
        : Value extends Iterable<unknown> | ((...args: never[]) => unknown)
          ? unknown
          : { [Name in keyof Value]: JsonOf<Value[Name]> }

/** The output of a tool as JSON: `undefined` becomes null. */
type OutputJson<Output> = unknown extends Output ? Output : Output extends undefined | void ? null : JsonOf<Output>
