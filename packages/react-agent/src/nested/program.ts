/**
 * Runs a program: starts the calls that a tool makes, delivers their results one by one, and records both for a replay elsewhere.
 *
 * Four kinds of records make a replay identical. `value-…`: a value that the program created before its first call. `turn-…`: the calls
 * that the program made after a number of results. `order-…`: the calls that ended next while several were running. `gate-…`: the decisions
 * that were available when nothing else could continue.
 */
import { type HostedProgram, isRepeatable, macrotask, type NestedCall, type ProgramTurn, type Question } from '@x/tool-core'
import { assertNotShown, decide, type Gate } from '../approval/gate.ts'
import { AgentError } from '../errors.ts'
import { nondeterministicProgram, tooManyNestedCalls } from '../prompts.ts'
import { mayCall } from './allowed-tools.ts'
import { MAX_CALLS } from './limits.ts'
import { never, type OpenPromise, openPromise } from './nested-promise.ts'
import { toInterruption } from './nested-steps.ts'
import {
  applyGate,
  deliver,
  isDecided,
  type OpenCall,
  type ProgramParts,
  type RecordedCall,
  scopeOf,
  toOpenCall,
  toOpenQuestion,
  toProgramResult,
  toRecordedCall,
  waitingFor,
} from './open-call.ts'
import { differenceOf, isOrder, type Turn } from './program-records.ts'
import { showOpen } from './questions.ts'
import { readyCalls } from './ready-calls.ts'
import { isWaiting, type WaitingCall } from './waiting.ts'

export class Program {
  readonly #parts: ProgramParts
  /** Calls without a delivered result, by number. */
  readonly #open = new Map<number, OpenCall>()
  /** Calls that the program has made since it last received a result. */
  #issued: OpenCall[] = []
  /** Numbers of the calls whose results are delivered next. */
  #queue: number[] = []
  /** Numbers of the calls that have ended, in that order. */
  readonly #ended: number[] = []
  readonly #runs: Promise<void>[] = []
  readonly #keys = new Set<string>()
  #count = 0
  #delivered = 0
  #turns = 0
  #orders = 0
  #gates = 0
  /** Maximum number of parallel calls. A replay uses the recorded limit, because the order of results depends on it. */
  #limit: number
  #hasReturned = false
  #isOver = false
  #wake: (() => void) | undefined
  /** Settles when the next call starts. */
  #starting: OpenPromise | undefined
  #given: HostedProgram | undefined
  /** The limit that ended the program. */
  #exceeded: string | undefined
  /** The given program, once it is started. Without one, the tool's `execute` is the program. */
  #hosted: HostedProgram | undefined

  constructor(parts: ProgramParts) {
    this.#parts = parts
    this.#limit = parts.scope.maxParallelCalls
  }

  call(request: NestedCall): Promise<unknown> {
    return this.#promise((n) => toOpenCall(n, request, this.#parts.caller))
  }

  ask(question: Question): Promise<unknown> {
    return this.#promise((n) => {
      const call = toOpenQuestion(n, question, this.#parts.caller)
      if (this.#keys.has(call.id))
        throw new AgentError('invalid_options', `context.ask: two questions have the key "${question.key}".`)
      this.#keys.add(call.id)
      return call
    })
  }

  run(program: HostedProgram<never>): void {
    this.#given = program
    this.#wake?.()
  }

  /** Called when the tool's `execute` has settled. Open calls still finish, but later calls from abandoned branches aren't started. */
  returned(): void {
    this.#hasReturned = true
    this.#wake?.()
  }

  /** Ends the program. Afterwards, no call is started, recorded or delivered. */
  end(): void {
    this.#isOver = true
    this.#starting?.resolve()
  }

  /** Resolves when no call is running. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#runs)
  }

  /** Resolves to undefined once the program and its calls have ended, or to the decisions that it needs. Rejects if `steps` rejects. */
  async play(): Promise<WaitingCall | undefined> {
    await this.#activity()
    while (!this.#hasReturned) {
      await this.#begin()
      if (this.#open.size === 0) {
        // The program is awaiting something other than a call.
        await this.#activity()
        continue
      }
      const call = await this.#next()
      if (call === undefined) return waitingFor(this.#open.values(), this.#parts)
      if (this.#hosted !== undefined) await this.#deliverTo(this.#hosted, call)
      else {
        this.#close(call)
        deliver(call)
        await this.#alive(macrotask())
      }
    }
    return await this.#finish()
  }

  /** Issues a call of `execute`, and returns the promise of its result. */
  #promise(make: (n: number) => OpenCall): Promise<unknown> {
    const opened = openPromise()
    this.#issue(make, opened)
    return opened.promise
  }

  /** Issues a call. Its number is assigned before the request is read, because getters in the request may also make calls. */
  #issue(make: (n: number) => OpenCall, opened: OpenCall['opened']): void {
    // A program that runs elsewhere made its calls before it ended.
    if (this.#isOver || (this.#hasReturned && this.#hosted === undefined)) return
    const n = ++this.#count
    if (n > MAX_CALLS)
      this.#parts.onStop({ code: 'too_many_nested_calls', message: tooManyNestedCalls(this.#parts.caller.tool.name, MAX_CALLS) })
    else {
      const call = make(n)
      call.opened = opened
      this.#issued.push(call)
      this.#wake?.()
    }
  }

  /** Delivers the result, and those whose order is already known. The program stops where it makes a call. */
  async #deliverTo(hosted: HostedProgram, first: OpenCall): Promise<void> {
    const calls = [first]
    for (const n of this.#queue.splice(0)) calls.push(await this.#load(n))
    const received = await this.#take(hosted.receive(calls.map(toProgramResult)))
    for (const call of calls.splice(0, received)) this.#close(call)
    this.#queue = calls.map(({ n }) => n)
  }

  #close({ n }: OpenCall): void {
    this.#open.delete(n)
    this.#delivered++
  }

  /** Issues the calls of a program that runs elsewhere. Returns the number of results that it has received. */
  async #take(turn: Promise<ProgramTurn>): Promise<number> {
    const { received, calls, isOver = false, difference, exceeded } = await this.#alive(turn)
    if (difference !== undefined) await this.#fail(difference)
    this.#exceeded = exceeded
    for (const call of calls) this.#issue((n) => toOpenCall(n, call, this.#parts.caller), call.n)
    this.#hasReturned ||= isOver
    return received
  }

  /** Resolves when the program has made a call or returned, and has run as far as it can. */
  async #activity(): Promise<void> {
    while (this.#issued.length === 0 && !this.#hasReturned) {
      const hosted = this.#given
      this.#given = undefined
      if (hosted === undefined) await this.#alive(new Promise<void>((resolve) => (this.#wake = resolve)))
      else {
        this.#hosted = hosted
        await this.#take(hosted.start(await this.#record('value-start', () => hosted.create())))
      }
    }
    if (this.#hosted === undefined) await this.#alive(macrotask())
  }

  /** Records the calls that the program has made. */
  async #begin(): Promise<void> {
    const { scope } = this.#parts
    const calls = this.#issued.splice(0)
    if (calls.length === 0) return
    calls.sort((one, other) => one.n - other.n)
    const made = await this.#alive(Promise.all(calls.map(toRecordedCall)))
    const turn: Turn = { after: this.#delivered, calls: made, limit: scope.maxParallelCalls }
    for (const call of calls) this.#open.set(call.n, call)
    this.#keepTogether()
    const recorded = await this.#record(`turn-${this.#turns++}`, async () => ({ ...turn, token: scope.token }))
    await this.#assertSame(recorded, turn, calls)
    const { calls: before = [], limit = scope.maxParallelCalls }: Turn = recorded
    this.#limit = limit
    for (const [index, call] of calls.entries()) {
      const { barrier = call.barrier, mayWrite = false, refusal } = before[index] as RecordedCall
      if (call.barrier === 'approval') call.isUnasked = barrier !== 'approval'
      else if (call.question === undefined) assertNotShown(call.id, scope)
      Object.assign(call, { digest: made[index]?.digest, barrier, mayWrite, refusal })
      // The agent may have the tool now.
      if (refusal !== undefined) call.tool = undefined
    }
    // Calls that don't start immediately record their own intent.
    for (const call of this.#ready()) if (calls.includes(call)) call.token = (recorded as { readonly token?: string }).token
  }

  /** Returns the calls that may run now. While results are left to deliver, no call starts. */
  #ready(): readonly OpenCall[] {
    if (this.#queue.length > 0) return []
    return readyCalls(this.#open.values(), this.#limit)
  }

  /** Returns the call whose result is delivered next. Returns undefined if all open calls are waiting for decisions. */
  async #next(): Promise<OpenCall | undefined> {
    for (;;) {
      const queued = this.#queue.shift()
      if (queued !== undefined) return await this.#load(queued)
      const ready = this.#ready()
      const [only] = ready
      // A call with inner calls may have to wait, which must be recorded.
      if (only !== undefined && ready.length === 1 && only.tool?.nested === undefined) return await this.#load(only.n)
      const isNew = only === undefined || (await this.#order(ready))
      if (this.#queue.length > 0) continue
      const found = await this.#findDecisions()
      if (isNew && found.size === 0) return undefined
      // `#decide` is called even if there are no decisions, to record that fact: an earlier execution may have continued because inner
      // calls of the waiting ones had been decided.
      await this.#decide(found)
    }
  }

  /**
   * Records which of the calls end next. The list is empty if all of them have to wait. Returns false if the order is already recorded. No
   * call is started in that case, so that nothing new runs before the replay has caught up.
   */
  async #order(ready: readonly OpenCall[]): Promise<boolean> {
    let isNew = false
    const recorded = await this.#record(`order-${this.#orders++}`, async () => {
      isNew = true
      for (;;) {
        const running: Promise<void>[] = []
        for (const call of ready) {
          const run = this.#start(call)
          if (call.outcome === undefined && call.waiting === undefined) running.push(run)
        }
        if (running.length === 0 || ready.some(({ outcome }) => outcome !== undefined)) break
        await Promise.race(running).catch((cause: unknown) => {
          throw toInterruption(cause)
        })
        // Calls that end at about the same time share a record.
        await macrotask()
      }
      return this.#ended.filter((n) => ready.some((call) => call.n === n))
    })
    if (!isOrder(recorded, ready)) return await this.#fail('its recorded order contains another call')
    this.#queue = [...recorded]
    for (const call of ready) if (!isNew && recorded.includes(call.n)) call.hasEnded = true
    return isNew
  }

  /** Shows the calls and questions that need a decision, and gets the available decisions. */
  async #findDecisions(): Promise<ReadonlyMap<OpenCall, Gate>> {
    const { scope } = this.#parts
    const found = new Map<OpenCall, Gate>()
    for (const call of this.#open.values()) {
      if (isDecided(call) || call.shown !== undefined) continue
      const shown = await this.#alive(showOpen(call, scopeOf(call, scope)))
      if (shown?.type === 'invalid') found.set(call, shown)
      else call.shown = shown
    }
    for (const call of this.#open.values()) {
      if (isDecided(call) || call.shown === undefined) continue
      const gate = await this.#alive(decide(call.shown, scope))
      call.isUndecided = gate.type !== 'decided'
      if (gate.type === 'decided') found.set(call, gate)
      else call.cause = gate.cause
    }
    return found
  }

  /** Records which of the decisions take effect now, because more of them may be available in a replay. */
  async #decide(found: ReadonlyMap<OpenCall, Gate>): Promise<void> {
    const calls = [...found.keys()]
    let isNew = false
    const decided = await this.#record(`gate-${this.#gates++}`, async () => {
      isNew = true
      return calls.map(({ n }) => n)
    })
    if (!isOrder(decided, calls)) return await this.#fail('its recorded decisions contain another call')
    for (const [call, gate] of found) if (decided.includes(call.n)) applyGate(gate, call, this.#parts.scope, isNew)
  }

  async #load(n: number): Promise<OpenCall> {
    const call = this.#open.get(n)
    if (call !== undefined) await this.#alive(this.#start(call))
    if (call?.outcome !== undefined) return call
    return await this.#fail(`call ${n} has a recorded result, but now has none`)
  }

  /** Starts the call once. Its promise rejects if `steps` rejects. */
  #start(call: OpenCall): Promise<void> {
    if (call.run !== undefined) return call.run
    if (this.#isOver) return never()
    const run = async () => {
      const ended = await this.#parts.execute(call)
      if (isWaiting(ended)) call.waiting = ended
      else {
        call.outcome = ended
        this.#ended.push(call.n)
      }
    }
    call.run = run()
    this.#runs.push(call.run)
    call.run.catch(() => {})
    // From here on, the call keeps its own steps together.
    this.#starting?.resolve()
    this.#starting = undefined
    return call.run
  }

  /** Lets open calls finish after the program has returned. Nothing is delivered, so their order doesn't matter. */
  async #finish(): Promise<WaitingCall | undefined> {
    // The program may have made calls before it returned that it didn't await.
    await this.#begin()
    this.#queue = []
    if (this.#count > 0 || this.#hosted !== undefined || mayCall(this.#parts.caller.tool)) {
      const recorded = await this.#record(`turn-${this.#turns}`, async () => ({ isEnd: true }))
      await this.#assertSame(recorded, { isEnd: true }, [])
    }
    while (this.#open.size > 0) {
      const ready = this.#ready()
      for (const call of ready) void this.#start(call)
      for (const call of ready) await this.#alive(this.#start(call))
      const ended = ready.filter(({ outcome }) => outcome !== undefined)
      for (const { n } of ended) this.#open.delete(n)
      if (ended.length > 0) continue
      const found = await this.#findDecisions()
      if (found.size === 0) return waitingFor(this.#open.values(), this.#parts)
      for (const [call, gate] of found) applyGate(gate, call, this.#parts.scope, !gate.isRecorded)
    }
    return undefined
  }

  /** Returns a promise that settles like the given one, but never settles once the program is over. */
  #alive<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => this.#isOver || resolve(value),
        (cause: unknown) => this.#isOver || reject(cause),
      )
    })
  }

  /**
   * The next turn is also the intent to run the calls that start after it, possibly after another turn or an order. If one of them must not
   * be repeated, an engine that is being closed lets them start and end.
   */
  #keepTogether(): void {
    const keys = [`turn-${this.#turns}`, `turn-${this.#turns + 1}`, `order-${this.#orders}`]
    let mustEnd = false
    for (const { id, run, tool } of this.#ready()) {
      keys.push(`call-${id}`)
      mustEnd ||= run === undefined && tool !== undefined && tool.nested === undefined && !isRepeatable(tool.effect)
    }
    if (!mustEnd || this.#isOver) return
    this.#starting ??= openPromise()
    const { promise } = this.#starting
    this.#parts.steps.together(keys, () => promise).catch(() => {})
  }

  #record<T>(key: string, execute: () => Promise<T>): Promise<T> {
    return this.#isOver ? never() : this.#alive(this.#parts.steps.run(key, execute))
  }

  async #assertSame(recorded: unknown, turn: Turn, calls: readonly OpenCall[]): Promise<void> {
    const difference = differenceOf(recorded, { turn, calls, exceeded: this.#exceeded }, this.#parts.caller.callId)
    if (difference !== undefined) await this.#fail(difference)
  }

  /** Stops the program, because it differs from its records. */
  async #fail(difference: string): Promise<never> {
    const { name } = this.#parts.caller.tool
    // An earlier execution may have made the others.
    const waiting: string[] = []
    for (const call of this.#open.values()) if (call.isUndecided) waiting.push(`"${call.name}" (${call.id})`)
    this.#parts.onStop({ code: 'nondeterministic_program', message: nondeterministicProgram(name, difference, waiting) })
    return await never()
  }
}
