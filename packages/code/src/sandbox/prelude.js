/**
 * The first code that runs in a new instance. It evaluates to a function that prepares the globals and returns `start`, `receive`,
 * `track` and `take`. These are the only ways into and out of the instance: it has no host functions, and all data is passed as text.
 *
 * It reads the built-ins that it needs before the program runs, keeps its state in a closure, and builds text by concatenation. So a
 * program that replaces globals or adds setters to prototypes changes only its own values.
 */
export const PRELUDE = `((config) => {
  'use strict'
  const { stringify, parse } = JSON
  const { apply } = Reflect
  const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object
  const { prototype: { then } } = Promise
  const { prototype: { slice } } = String
  const { prototype: { set, delete: remove, values: valuesOf } } = Map
  const { get: sizeOf } = getOwnPropertyDescriptor(Map.prototype, 'size')
  const { next } = getPrototypeOf(new Map().values())
  const { isError } = Error
  const text = String
  const Failure = Error
  const Wrong = TypeError
  const Eventual = Promise
  const { maxCalls, maxArgs, maxOutput, maxLog, maxNames } = parse(config)

  // Own elements, so that setters on prototypes are never called.
  const resolves = new Array(maxCalls + 1).fill(null)
  const rejects = new Array(maxCalls + 1).fill(null)
  // Created with the calls, so that the stack of a failed call contains the line of the call.
  const errors = new Array(maxCalls + 1).fill(null)
  let calls = ''
  let issued = 0
  let waiting = 0
  let log = ''
  let logged = 0
  let isCut = false
  let hasSettled = false
  let hasFinished = false
  let end = ''
  let limit = ''
  // Calls that were made after the end.
  let late = 0
  let lateNames = ''
  // Texts of the rejected promises that nothing handles.
  const rejections = new Map()

  const own = (object, key, value) =>
    defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true, enumerable: true })

  const call = (name, quoted, args) => {
    if (hasSettled && ++late <= maxNames && quoted.length < 100) lateNames += (lateNames === '' ? '' : ',') + quoted
    if (hasSettled || limit !== '') return new Eventual(() => {})
    if (issued >= maxCalls) {
      limit = 'calls'
      return new Eventual(() => {})
    }
    const n = ++issued
    return new Eventual((resolve, reject) => {
      const json = args === undefined ? '{}' : writeWhole(args)
      if (name.length + json.length > maxArgs)
        throw new Wrong('The name and arguments of a call have more than ' + maxArgs + ' characters.')
      if (hasSettled || limit !== '') return
      resolves[n] = resolve
      rejects[n] = reject
      errors[n] = new Failure()
      waiting++
      calls += (calls === '' ? '[' : ',[') + n + ',' + quoted + ',' + json + ']'
    })
  }

  // Returns false if the program has made calls or has ended, which the host must know first.
  const receive = (text) => {
    if (calls !== '' || hasSettled || limit !== '') return false
    const result = parse(text)
    const n = result[0]
    const value = result[2]
    const resolve = resolves[n]
    const reject = rejects[n]
    const error = errors[n]
    resolves[n] = rejects[n] = errors[n] = null
    waiting--
    if (result[1]) {
      resolve(value)
      return true
    }
    defineProperty(error, 'message', { __proto__: null, value: value.message, writable: true, configurable: true })
    own(error, 'name', 'ToolError')
    own(error, 'code', value.code)
    if (value.reason !== undefined) own(error, 'reason', value.reason)
    own(error, 'issues', value.issues)
    own(error, 'tool', value.tool)
    reject(error)
    return true
  }

  let isLeaving = false
  // Writes a value that leaves the instance as JSON.
  const write = (value) => {
    // A \`toJSON\` of the program can make a call, whose arguments are written before the rest of the value.
    const wasLeaving = isLeaving
    isLeaving = true
    try {
      return stringify(value)
    } catch (error) {
      if (read(error, 'message', 100) !== 'circular reference') throw error
      throw new Wrong("A value that contains itself can't be written as JSON. Write only the members that you need.")
    } finally {
      isLeaving = wasLeaving
    }
  }
  // Writes a result, or the arguments of a call. Members are written as by JSON.stringify.
  const writeWhole = (value) => {
    if (typeof value === 'function') throw new Wrong("A function can't be written as JSON. Call it, and use what it returns.")
    if (typeof value === 'symbol') throw new Wrong("A symbol can't be written as JSON. Use String(value).")
    return write(value) ?? 'null'
  }
  // Without these methods, JSON would silently contain {}. Inside the program, JSON.stringify works as usual.
  const define = (Type, toJSON) =>
    defineProperty(Type.prototype, 'toJSON', {
      __proto__: null, configurable: true, writable: true,
      value() {
        return isLeaving ? toJSON(this) : this
      },
    })
  const refuse = (Type, name, hint) =>
    define(Type, () => {
      throw new Wrong(name + " can't be written as JSON. " + hint)
    })

  const read = (object, key, most) => {
    try {
      const value = object[key]
      return typeof value === 'string' ? apply(slice, value, [0, most]) : undefined
    } catch {
      return undefined
    }
  }
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
  const shown = (value) => {
    if (typeof value === 'string') return value
    if (isObject(value)) {
      try {
        const message = value instanceof Failure ? read(value, 'message', 2000) : undefined
        if (message === undefined) return write(value) ?? 'function'
        // The error of Promise.any has no message.
        const errors = message === '' ? write(value.errors) : undefined
        return (read(value, 'name', 100) ?? 'Error') + ': ' + (errors ?? message)
      } catch (error) {
        return read(error, 'message', 2000) ?? 'object'
      }
    }
    return text(value)
  }

  const finish = (isOk, value) => {
    if (hasSettled || limit !== '') return
    hasSettled = true
    if (isOk) {
      try {
        const json = writeWhole(value)
        hasFinished = json.length <= maxOutput
        if (hasFinished) end = '"output":' + json + (value === undefined ? ',"isEmpty":true' : '')
        else end = '"cause":"output","length":' + json.length
        return
      } catch (error) {
        value = error
      }
    }
    const message = apply(slice, shown(value), [0, 2000])
    const code = isObject(value) ? read(value, 'code', 100) : undefined
    const stack = isObject(value) ? read(value, 'stack', 2000) : undefined
    end = '"cause":"thrown","message":' + stringify(message) + ',"code":' + (stringify(code) ?? 'null') +
      ',"stack":' + (stringify(stack) ?? 'null')
  }

  const start = (program) => {
    try {
      apply(then, program(), [(value) => finish(true, value), (error) => finish(false, error)])
    } catch (error) {
      finish(false, error)
    }
  }

  // The engine calls it when a promise is rejected that nothing handles, and when it is handled later.
  const track = (promise, reason, isHandled) =>
    isHandled ? apply(remove, rejections, [promise]) : apply(set, rejections, [promise, briefly(reason)])

  // Returns a short text without calling code of the program: it must not be able to change an end. A proxy isn't an error for \`isError\`.
  const briefly = (reason) => {
    if (typeof reason === 'string') return apply(slice, reason, [0, 500])
    if (isError(reason)) {
      const name = ownText(reason, 'name', 100)
      const message = ownText(reason, 'message', 500)
      return message === '' ? name || 'Error' : (name === '' ? '' : name + ': ') + message
    }
    // The text of a symbol or a BigInt may be long.
    const isShort = reason == null || typeof reason === 'number' || typeof reason === 'boolean'
    return isShort ? text(reason) : typeof reason
  }
  const ownText = (object, key, most) => {
    const descriptor = getOwnPropertyDescriptor(object, key)
    const isText = descriptor !== undefined && hasOwn(descriptor, 'value') && typeof descriptor.value === 'string'
    return isText ? apply(slice, descriptor.value, [0, most]) : ''
  }

  const unhandled = () => {
    const count = apply(sizeOf, rejections, [])
    if (count === 0) return ''
    const first = apply(next, apply(valuesOf, rejections, []), []).value
    return ',"unhandled":' + count + ',"firstUnhandled":' + stringify(first)
  }
  const lateCalls = () => (late === 0 ? '' : ',"late":' + late + ',"lateNames":[' + lateNames + ']')

  // Calls no code of the program. The end comes first, so that the host finds it without parsing the text.
  const take = () => {
    if (limit !== '') end = '"cause":"' + limit + '"'
    else if (hasFinished) end += lateCalls() + unhandled()
    else if (end === '' && waiting === 0) end = '"cause":"waits"' + unhandled()
    let report = end === '' ? '"calls":[' : '"end":{' + end + '},"calls":['
    report += calls + ']'
    if (log !== '') report += ',"log":' + stringify(log)
    if (isCut) report += ',"isCut":true'
    calls = ''
    log = ''
    return report + '}'
  }

  const put = (head, values) => {
    let line = head
    for (let index = 0; index < values.length && line.length <= maxLog; index++)
      line += (index === 0 && head === '' ? '' : ' ') + apply(slice, shown(values[index]), [0, maxLog])
    line += '\\n'
    const left = maxLog - logged
    if (line.length > left) isCut = true
    line = apply(slice, line, [0, left])
    logged += line.length
    log += line
  }
  const print = (...values) => put('', values)
  const printFirst = (value) => put('', [value])
  const skip = () => {}
  const counts = create(null)
  const count = (label = 'default') => {
    const key = text(label)
    counts[key] = (counts[key] ?? 0) + 1
    put(key + ':', [counts[key]])
  }
  const countReset = (label = 'default') => {
    counts[text(label)] = 0
  }

  const functions = create(null)
  const functionOf = (name) => {
    const quoted = stringify(name)
    return (functions[name] = (args) => call(name, quoted, args))
  }
  const tools = new Proxy(create(null), {
    __proto__: null,
    get: (_, name) => (typeof name !== 'string' || name === 'then' ? undefined : (functions[name] ?? functionOf(name))),
    set: () => false,
    defineProperty: () => false,
  })
  own(globalThis, 'tools', tools)
  // The clock stands still, so timers have nothing to print.
  own(globalThis, 'console', {
    log: print, info: print, warn: print, error: print, debug: print, trace: print, dirxml: print, group: print,
    groupCollapsed: print, timeLog: print, dir: printFirst, table: printFirst, count,
    assert: (isTrue, ...values) => {
      if (!isTrue) put('Assertion failed', values)
    },
    countReset, groupEnd: skip, time: skip, timeEnd: skip, timeStamp: skip, clear: skip, profile: skip, profileEnd: skip,
  })
  refuse(Promise, 'A promise', 'Await it first.')
  refuse(Map, 'A Map', 'Use Object.fromEntries(map).')
  refuse(Set, 'A Set', 'Use [...set].')
  refuse(BigInt, 'A BigInt', 'Use String(value).')
  define(Failure, (error) => ({ name: read(error, 'name', 100), message: read(error, 'message', 2000), ...error }))
  // Otherwise a program could take the functions of this closure from a stack.
  defineProperty(Error, 'prepareStackTrace', { __proto__: null, value: undefined })
  // An error in a job of \`queueMicrotask\` would end the run as if it were an error of the engine.
  for (const name of ['queueMicrotask', 'performance', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'print', 'gc', 'navigator'])
    delete globalThis[name]
  return { __proto__: null, start, receive, track, take }
})`
