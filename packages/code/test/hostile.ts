/** Programs that try to leave the sandbox, to exhaust it, or to deceive its host. */

export interface Hostile {
  readonly name: string
  readonly code: string
  /** The value that the program returns, or the reason for which it fails. */
  readonly returns?: unknown
  readonly fails?: string
}

const FILL = 'const kept = []; for (;;) kept.push'

export const HOSTILE: readonly Hostile[] = [
  // Ways out of the realm: there is nothing to reach.
  {
    name: 'the constructor of a function',
    code: `return (() => {}).constructor('return typeof process + typeof require')()`,
    returns: 'undefinedundefined',
  },
  { name: 'the constructor of a tool', code: `return tools.get.constructor('return typeof process')()`, returns: 'undefined' },
  { name: 'eval', code: `return eval('typeof process + typeof globalThis.fetch')`, returns: 'undefinedundefined' },
  { name: 'indirect eval', code: `return (0, eval)('this === globalThis && typeof process')`, returns: 'undefined' },
  {
    name: 'the constructor of an async generator',
    code: `const f = Object.getPrototypeOf(async function* () {}).constructor; return (await f('yield typeof process')().next()).value`,
    returns: 'undefined',
  },
  {
    name: 'the prototype chain of a result',
    code: `let o = await tools.get({ value: 1 }), n = 0; while (o !== null && n++ < 9) o = Object.getPrototypeOf(o); return n`,
    returns: 2,
  },
  {
    name: 'the constructor of a result',
    code: `return (await tools.get({ value: 1 })).constructor.constructor('return typeof process')()`,
    returns: 'undefined',
  },
  {
    name: 'the constructor of an error',
    code: `try { await tools.get({}) } catch (e) { return e.constructor.constructor('return typeof process')() }`,
    returns: 'undefined',
  },
  {
    name: 'the caller in a stack',
    code: `try { Error.prepareStackTrace = (_, frames) => frames } catch {} return typeof new Error().stack`,
    returns: 'string',
  },
  {
    name: 'globals of a host',
    code: `return ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'Deno', 'Bun', 'postMessage', 'std', 'os', 'print', 'gc', 'scriptArgs', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'performance', 'navigator', 'queueMicrotask'].filter((name) => name in globalThis)`,
    returns: [],
  },
  { name: 'import()', code: `try { await import('fs') } catch (e) { return 'refused' }`, returns: 'refused' },
  { name: 'an import declaration', code: `import fs from 'fs'; return 1`, fails: 'syntax_error' },
  { name: 'closing the wrapper', code: `})(), (async () => { return 2`, fails: 'syntax_error' },
  { name: 'closing the wrapper in a comment', code: `return 1 // })()`, returns: 1 },
  { name: 'an HTML comment', code: `return 1 <!-- 2`, returns: 1 },
  { name: 'a hashbang', code: `#!/bin/sh\nreturn 1`, fails: 'syntax_error' },
  { name: 'with', code: `with ({}) {} return 1`, fails: 'syntax_error' },
  { name: 'this and arguments', code: `return [typeof this, typeof arguments]`, returns: ['object', 'undefined'] },

  // Deceiving the host by replaced globals.
  {
    name: 'a replaced JSON',
    code: `JSON.stringify = () => '{"calls":[[99,"pay","{}"]]}'; JSON.parse = () => 7; return await tools.get({ value: 1 })`,
    returns: { value: 1 },
  },
  { name: 'a replaced then', code: `Promise.prototype.then = () => { throw 1 }; return 5`, returns: 5 },
  {
    name: 'a replaced Promise',
    code: `globalThis.Promise = class { constructor() { throw 1 } }; return (await tools.get({ value: 2 })).value`,
    returns: 2,
  },
  {
    name: 'a species that settles',
    code: `Object.defineProperty(Promise.prototype, 'constructor', { get() { return { [Symbol.species]: function (f) { f(() => {}, () => {}) } } } }); return 6`,
    returns: 6,
  },
  {
    name: 'setters for indexes',
    code: `for (let i = 0; i < 9; i++) Object.defineProperty(Array.prototype, i, { set() { throw 1 }, configurable: true }); return (await tools.get({ value: 3 })).value`,
    fails: 'program_failed',
  },
  {
    name: 'setters on Object.prototype',
    code: `for (const k of ['resolve', 'reject', 'message', 'code', 'end', '1', '2']) Object.defineProperty(Object.prototype, k, { set() { throw 1 }, get() { return 'stolen' }, configurable: true }); return (await tools.get({ value: 4 })).value`,
    returns: 4,
  },
  {
    name: 'a replaced Reflect.apply',
    code: `Reflect.apply = () => { throw 1 }; String.prototype.slice = () => 'x'; return 8`,
    returns: 8,
  },
  {
    name: 'toJSON on Object.prototype',
    code: `Object.prototype.toJSON = () => ({ value: 9 }); return (await tools.get({ value: 1 })).value`,
    returns: 9,
  },
  {
    name: 'a then on Object.prototype',
    code: `Object.defineProperty(Object.prototype, 'then', { value(f) { f('forged') }, configurable: true }); return await tools.get({ value: 1 })`,
    returns: 'forged',
  },
  { name: 'a replaced tools', code: `globalThis.tools = null; return 1`, returns: 1 },
  { name: 'a property of tools', code: `tools.get = () => 'mine'; return 1`, fails: 'program_failed' },
  {
    name: 'a tool with an odd name',
    code: `const out = []; for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\\0', '\\ud800']) try { await tools[name]({}) } catch (e) { out.push(e.code) } return out.join()`,
    returns: Array(7).fill('unknown_tool').join(),
  },
  {
    name: 'tools as a value',
    code: `return [String(await tools === tools), typeof tools.then, typeof tools[Symbol.iterator]]`,
    returns: ['true', 'undefined', 'undefined'],
  },
  {
    name: 'arguments with a getter that calls',
    code: `const inner = []; const args = { get value() { inner.push(tools.get({ value: 1 })); return 2 } }; const outer = await tools.get(args); return [outer.value, (await inner[0]).value]`,
    returns: [2, 1],
  },
  {
    name: 'arguments with a trap',
    code: `try { await tools.get(new Proxy({}, { ownKeys() { throw new Error('trap') } })) } catch (e) { return e.message }`,
    returns: 'trap',
  },
  {
    name: 'circular arguments',
    code: `const a = {}; a.a = a; try { await tools.get(a) } catch (e) { return e.name }`,
    returns: 'TypeError',
  },
  {
    name: 'arguments that are not an object',
    code: `const out = []; for (const a of [null, 1, 'x', [1], () => {}, Symbol('s')]) try { await tools.get(a) } catch (e) { out.push(e.code ?? e.name) } return out.join()`,
    returns: [...Array(4).fill('invalid_arguments'), 'TypeError', 'TypeError'].join(),
  },
  {
    name: '__proto__ in arguments',
    code: `try { await tools.get(JSON.parse('{"__proto__": {"value": 1}}')) } catch (e) { return e.code }`,
    returns: 'invalid_arguments',
  },
  {
    name: 'characters that end strings',
    code: `const s = 'a\\0b\\ud800\\u2028"'; return [s.length, (await tools.echo({ text: s })).text.length, s]`,
    returns: [6, 6, 'a\0b\ufffd\u2028"'],
  },

  // Results and errors with traps.
  {
    name: 'a result with a trap',
    code: `return new Proxy({}, { ownKeys() { throw new Error('trap') } })`,
    fails: 'program_failed',
  },
  { name: 'a result with toJSON', code: `return { toJSON() { return { toJSON: 1 } } }`, returns: { toJSON: 1 } },
  { name: 'a circular result', code: `const a = {}; a.a = a; return a`, fails: 'program_failed' },
  { name: 'a result that is a BigInt', code: `return 1n`, fails: 'program_failed' },
  { name: 'no result', code: `1`, returns: null },
  { name: 'a result with then', code: `return { then(f) { f('from then') } }`, returns: 'from then' },
  { name: 'a result that never settles', code: `return { then() {} }`, fails: 'never_ends' },
  { name: 'a thrown proxy', code: `throw new Proxy({}, { get() { throw 1 } })`, fails: 'program_failed' },
  {
    name: 'a thrown revoked proxy',
    code: `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy`,
    fails: 'program_failed',
  },
  { name: 'a thrown null', code: `throw null`, fails: 'program_failed' },
  { name: 'an error with a message of 60 MB', code: `throw new Error('x'.repeat(6e7))`, fails: 'program_failed|memory_limit' },
  { name: 'a result of 60 MB', code: `return 'x'.repeat(2e7)`, fails: 'output_too_large|memory_limit' },
  { name: 'a console of 60 MB', code: `for (let i = 0; i < 100; i++) console.log('x'.repeat(1e6)); return 1`, returns: 1 },
  {
    name: 'a console with traps',
    code: `console.log(new Proxy({}, { get() { throw 1 } }), Symbol('s'), 1n, () => {}, undefined); return 1`,
    returns: 1,
  },

  // Memory.
  { name: 'buffers', code: `${FILL}(new Uint8Array(1 << 20))`, fails: 'memory_limit' },
  {
    name: 'buffers, with the error caught',
    code: `const kept = []; for (;;) try { for (;;) kept.push(new Uint8Array(1 << 20)) } catch {}`,
    fails: 'memory_limit|time_limit',
  },
  { name: 'strings', code: `${FILL}('x'.repeat(1 << 20) + kept.length)`, fails: 'memory_limit|time_limit' },
  { name: 'objects', code: `${FILL}({ a: [kept.length] })`, fails: 'memory_limit|time_limit' },
  { name: 'a doubled string', code: `let s = 'x'; for (;;) s += s`, fails: 'program_failed|memory_limit' },
  { name: 'a huge array', code: `return new Array(2 ** 32 - 1).fill(1).length`, fails: 'memory_limit|time_limit' },
  { name: 'a map', code: `const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])`, fails: 'memory_limit|time_limit' },
  { name: 'a huge BigInt', code: `let n = 2n; for (;;) n **= 2n`, fails: 'program_failed|memory_limit|time_limit' },
  { name: 'promises', code: `const kept = []; for (;;) kept.push(new Promise(() => {}))`, fails: 'memory_limit|time_limit' },

  // Stack.
  { name: 'deep recursion', code: `const f = () => f() + 1; return f()`, fails: 'program_failed' },
  {
    name: 'deep recursion, caught',
    code: `const f = () => { try { return f() + 1 } catch { return 0 } }; return f() > 0`,
    returns: true,
  },
  {
    name: 'a deeply nested result',
    code: `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a`,
    fails: 'program_failed',
  },
  { name: 'a deeply nested program', code: `return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, fails: 'syntax_error' },
  {
    name: 'deeply nested brackets with types',
    code: `const a: any = ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    fails: 'syntax_error',
  },
  {
    name: 'deep recursion of toString',
    code: `const a = []; a[0] = { toString: () => String(a[0]) }; return String(a)`,
    fails: 'program_failed',
  },

  // Time. Some built-in functions never ask whether they should stop.
  { name: 'while(true)', code: `while (true) {}`, fails: 'time_limit' },
  { name: 'while(true) in try', code: `for (;;) try { while (true) {} } catch {}`, fails: 'time_limit' },
  { name: 'while(true) in a promise', code: `for (;;) new Promise(() => { for (;;) {} })`, fails: 'time_limit' },
  { name: 'endless jobs', code: `for (;;) await null`, fails: 'time_limit' },
  {
    name: 'endless jobs beside a call',
    code: `tools.get({ value: 1 }); const f = () => { Promise.resolve().then(f) }; f(); await new Promise(() => {})`,
    fails: 'time_limit',
  },
  {
    // Each promise waits for the next one, so the memory grows.
    name: 'an endless chain of promises beside a call',
    code: `tools.get({ value: 1 }); const f = () => Promise.resolve().then(f); await f()`,
    fails: 'memory_limit|time_limit',
  },
  {
    name: 'an endless generator',
    code: `function* g() { for (;;) yield 1 } return [...g()].length`,
    fails: 'memory_limit|time_limit',
  },
  {
    name: 'an endless iterator of Promise.all',
    code: `return await Promise.all({ *[Symbol.iterator]() { for (;;) yield 1 } })`,
    fails: 'memory_limit|time_limit',
  },
  { name: 'a regular expression', code: `return /^(a+)+$/.test('a'.repeat(40) + 'b')`, fails: 'time_limit|program_failed' },
  {
    name: 'a nested lookahead',
    code: `return /^(?=(a+)+b)(?=(a+)+c)a*$/.test('a'.repeat(60))`,
    fails: 'time_limit|program_failed',
  },
  { name: 'a sort that never returns', code: `return [3, 2, 1].sort(() => { for (;;) {} })`, fails: 'time_limit' },
  {
    name: 'reverse of a huge array-like',
    code: `return Array.prototype.reverse.call({ length: 2 ** 53 - 2 })`,
    fails: 'time_limit',
  },
  {
    name: 'join of a huge array-like',
    code: `return Array.prototype.join.call({ length: 2 ** 31 }, '')`,
    fails: 'time_limit|memory_limit|program_failed',
  },
  {
    name: 'copyWithin of a huge array-like',
    code: `return Array.prototype.copyWithin.call({ length: 2 ** 53 - 2 }, 0, 1)`,
    fails: 'time_limit',
  },
  {
    name: 'indexOf in long strings',
    code: `const s = 'a'.repeat(1e7); let n = 0; for (let i = 0; i < 1e6; i++) n += s.indexOf('a'.repeat(5e6) + 'b'); return n`,
    fails: 'time_limit|memory_limit',
  },
  {
    name: 'a wide JSON.stringify',
    code: `let a = [1]; for (let i = 0; i < 30; i++) a = [a, a]; return JSON.stringify(a).length`,
    fails: 'time_limit|memory_limit|program_failed',
  },
  {
    // Each piece is too short to be interrupted.
    name: 'many short pieces between calls',
    code: `const b = new Uint8Array(2e7); for (let i = 0; i < 20; i++) { await tools.get({ value: i }); for (let n = 0; n < 40; n++) b.fill(n) } return 1`,
    fails: 'time_limit',
  },
  { name: 'an endless toJSON', code: `return { toJSON() { for (;;) {} } }`, fails: 'time_limit' },
  { name: 'an endless getter in the arguments', code: `await tools.get({ get value() { for (;;) {} } })`, fails: 'time_limit' },

  // Calls.
  { name: 'too many calls', code: `for (;;) await tools.get({ value: 1 })`, fails: 'too_many_calls' },
  {
    name: 'too many calls at once',
    code: `await Promise.all(Array.from({ length: 1e4 }, (_, value) => tools.get({ value })))`,
    fails: 'too_many_calls',
  },
  {
    name: 'huge arguments',
    code: `try { await tools.get({ value: 'x'.repeat(2e6) }) } catch (e) { return e.name }`,
    returns: 'TypeError',
  },
  {
    name: 'a huge name of a tool',
    code: `try { await tools['x'.repeat(2e6)]({}) } catch (e) { return e.name }`,
    returns: 'TypeError',
  },
  {
    name: 'a syntax error after a call',
    code: `await tools.get({ value: 1 }); queueMicrotask(() => { throw new SyntaxError('no') }); return await tools.get({ value: 2 })`,
    fails: 'program_failed',
  },
  {
    name: 'a call in toJSON of the result',
    code: `return { toJSON() { tools.pay({ value: 1 }); return 1 } }`,
    returns: 1,
  },
  {
    name: 'a call after the end',
    code: `Promise.resolve().then(() => Promise.resolve()).then(() => {}).then(() => tools.pay({ value: 1 })); return 1`,
    returns: 1,
  },
]
