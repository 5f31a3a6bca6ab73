import { type ArgsOf, jsonSchema, type NameOf, type OutputOf, type TypedSchema } from '@x/tool-core'
import * as Type from 'typebox'
import { exposeMethods } from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

class Store {
  countUsers() {
    return 1
  }
}
class Users extends Store {
  readonly label = 'users'
  async findUser({ id }: { id: string }): Promise<{ name: string } | null> {
    return this.secret() === id ? { name: id } : null
  }
  add(first: number, second: number) {
    return first + second
  }
  private secret() {
    return '1'
  }
}
const users = new Users()
const find = { description: 'Finds.', args: Type.Object({ id: Type.String() }) }

// Names are literals. The args come from the schema, and the outputs from the method.
const source = exposeMethods(users, 'db', {
  findUser: { description: 'Finds.', effect: 'read', args: Type.Object({ id: Type.String() }) },
  countUsers: { description: 'Counts.', args: Type.Object({}) },
})
type Exposed = ReturnType<typeof source.tools>[number]
type FindUser = Extract<Exposed, { name: 'db_find_user' }>
expectType<Equal<NameOf<Exposed>, 'db_find_user' | 'db_count_users'>>()
expectType<Equal<ArgsOf<FindUser>, { id: string }>>()
expectType<Equal<OutputOf<FindUser>, { name: string } | null>>()

// Schemas can be of any kind.
const byId = jsonSchema({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] })
const typed = exposeMethods(users, 'db', { findUser: { description: 'Finds.', args: byId } })
expectType<Equal<ArgsOf<ReturnType<typeof typed.tools>[number]>, { id: string }>>()
declare const byNumber: TypedSchema<{ id: number }, { id: number }>
// @ts-expect-error The id is not a number.
void (() => exposeMethods(users, 'db', { findUser: { description: 'Finds.', args: byNumber } }))

// @ts-expect-error There is no public method "findUsr"
void (() => exposeMethods(users, 'db', { findUsr: find }))
// @ts-expect-error There is no public method "secret", although the other one is right
void (() => exposeMethods(users, 'db', { findUser: find, secret: find }))
// @ts-expect-error "label" is not a method.
void (() => exposeMethods(users, 'db', { label: find }))
// @ts-expect-error "add" takes two numbers
void (() => exposeMethods(users, 'db', { add: find }))
// @ts-expect-error The id is not a number.
void (() => exposeMethods(users, 'db', { findUser: { description: 'Finds.', args: Type.Object({ id: Type.Number() }) } }))
const optional = { description: 'Finds.', args: Type.Object({ id: Type.Optional(Type.String()) }) }
// @ts-expect-error The id may be missing.
void (() => exposeMethods(users, 'db', { findUser: optional }))
// @ts-expect-error The description is missing.
void (() => exposeMethods(users, 'db', { countUsers: { args: Type.Object({}) } }))
