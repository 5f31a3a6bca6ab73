/** The power of a text's length that a search takes: in how many ways a pattern can be tried before it is found not to match. */
import { type Characters, charactersOf, overlaps } from './pattern-characters.ts'
import { inlined, type Measured } from './pattern-measure.ts'
import { isGroup, isLookaround } from './pattern-pieces.ts'

/**
 * An upper bound. Each repetition can multiply the ways of coming to what follows, and each way tries all of the rest again.
 * It does not where its end is known, since it cannot take what must follow (`[^@]*@`), nor where its starts share one text
 * among them, since it cannot take what must stand before (`.*,[^,]*`). A lookaround is tried again each time it is come to.
 */
export function degreeOf(branches: readonly (readonly Measured[])[]): number {
  return searchOf(branches, (branch) => (startsAnchored(branch) ? AT_START : ANYWHERE), true)
}

/** A way to stand behind some pieces, with powers of the length for numbers. */
interface State {
  readonly ways: number
  /** The ways of coming to any one place. */
  readonly waysHere: number
  /** The last repetition, while its end is not known, and the ways if it were. */
  readonly open: { readonly takes: Characters; readonly ways: number; readonly waysHere: number } | undefined
  /** What stands before, since the last repetition. */
  readonly near: readonly Characters[]
}

const AT_START: State = { ways: 0, waysHere: 0, open: undefined, near: [] }
/** A pattern without `^` is tried at every place, as if it began by skipping any text. */
const ANYWHERE: State = { ...AT_START, ways: 1 }
const MAX_STATES = 32
const MAX_NEAR = 8
/** A group with more repetitions than this is not looked into: they all count. */
const MAX_INSIDE = 12

interface Search {
  degree: number
}

function searchOf(
  branches: readonly (readonly Measured[])[],
  start: (branch: readonly Measured[]) => State,
  isWhole: boolean,
): number {
  const search: Search = { degree: 0 }
  for (const branch of branches) {
    const state = start(branch)
    search.degree = Math.max(search.degree, state.ways)
    follow(branch, [state], search, isWhole)
  }
  return search.degree
}

function startsAnchored([first]: readonly Measured[]): boolean {
  if (first === undefined) return false
  if (first.piece.kind === 'group') return first.piece.times.min > 0 && first.branches.every(startsAnchored)
  return first.piece.source === '^'
}

/** The states behind a row of pieces. */
function follow(branch: readonly Measured[], start: readonly State[], search: Search, isWhole: boolean): readonly State[] {
  const line = branch.flatMap(inlined)
  let states = start
  for (const [index, measured] of line.entries()) {
    const { piece } = measured
    // Where nothing can fail any more, nothing is tried again.
    if (isWhole && index === line.length - 1 && !isGroup(piece) && piece.kind !== 'reference' && piece.times.min <= 1) break
    const behind = pass(measured, states, search)
    states = settled(piece.times.min === 0 ? [...states, ...behind] : behind)
  }
  return states
}

function pass(measured: Measured, states: readonly State[], search: Search): readonly State[] {
  const { piece, degree } = measured
  if (isGroup(piece)) {
    if (isLookaround(piece)) return look(measured, states, search)
    return degree === 0 ? states : passGroup(measured, states, search)
  }
  if (piece.kind === 'anchor') return states
  if (piece.kind === 'reference') return degree === 0 ? states : states.map((state) => refer(measured, state, search))
  const takes = charactersOf(piece.source)
  return states.map((state) => (degree === 0 ? meet(state, takes) : repeat(state, takes, search)))
}

/** What is found by a lookaround is not tried again, but the lookaround is. One that looks back is read backwards: all counts. */
function look({ piece, branches, degree }: Measured, states: readonly State[], search: Search): readonly State[] {
  const inside = piece.kind === 'lookahead' ? searchOf(branches, () => AT_START, false) : degree
  search.degree = Math.max(search.degree, mostWays(states) + inside)
  return states
}

function passGroup(measured: Measured, states: readonly State[], search: Search): readonly State[] {
  const { branches, degree, isChecked, piece } = measured
  if (isChecked) return states.map((state) => repeatGroup(measured, state, search))
  if (degree > MAX_INSIDE) {
    search.degree = Math.max(search.degree, mostWays(states) + degree)
    return states.map((state) => unknown({ ...state, ways: state.ways + degree }))
  }
  const behind: State[] = []
  let current = states
  for (let time = 1; time <= piece.times.max; time++) {
    current = settled(branches.flatMap((branch) => follow(branch, current, search, false)))
    if (time >= piece.times.min) behind.push(...current)
  }
  return behind
}

/** Goes on behind a mandatory character: a repetition that cannot take it has ended there. */
function meet(state: State, takes: Characters): State {
  const { open } = state
  const ways = open === undefined || overlaps(open.takes, takes) ? state : { ...open, open: undefined }
  const near = state.near.includes(takes) ? state.near : [...state.near, takes].slice(-MAX_NEAR)
  return { ways: ways.ways, waysHere: ways.waysHere, open: ways.open, near }
}

/** Goes on behind a repetition that takes at least one character. */
function repeat(state: State, takes: Characters, search: Search): State {
  const { ways: before, waysHere: beforeHere } = meet(state, takes)
  const sharesText = state.near.every((earlier) => overlaps(earlier, takes))
  const ways = sharesText ? before + 1 : beforeHere + 1
  search.degree = Math.max(search.degree, ways)
  const open = { takes, ways: before, waysHere: sharesText ? before : beforeHere }
  return { ways, waysHere: ways - 1, open, near: [takes] }
}

/** What a back-reference takes is known, but it is read again. */
function refer({ piece }: Measured, state: State, search: Search): State {
  search.degree = Math.max(search.degree, state.ways + 1)
  return unknown(piece.times.max > 1 ? { ...state, ways: state.ways + 1 } : state)
}

/** A repeated group reads one text in one way, so it is one repetition; a lookaround in it is tried wherever that comes to. */
function repeatGroup(measured: Measured, state: State, search: Search): State {
  const start = meet(state, edgeOf(measured, 0))
  const behind = repeat({ ...start, near: [] }, undefined, search)
  search.degree = Math.max(search.degree, behind.ways + lookaroundIn(measured))
  return { ...behind, near: [edgeOf(measured, -1)] }
}

function lookaroundIn({ branches }: Measured): number {
  const inside = branches.flat().map((inner) => (isLookaround(inner.piece) ? inner.degree : lookaroundIn(inner)))
  return Math.max(0, ...inside)
}

/** What a group without alternatives always begins (0) or ends (-1) with. */
function edgeOf({ branches }: Measured, at: 0 | -1): Characters {
  const [only, another] = branches
  const piece = another === undefined ? only?.at(at)?.piece : undefined
  const isKnown = (piece?.kind === 'literal' || piece?.kind === 'class') && piece.times.min > 0
  return isKnown ? charactersOf(piece.source) : undefined
}

function unknown({ ways }: State): State {
  return { ways, waysHere: ways, open: undefined, near: [] }
}

function mostWays(states: readonly State[]): number {
  return Math.max(...states.map(({ ways }) => ways))
}

/** Without states that another covers; one for all when they are many. */
function settled(states: readonly State[]): readonly State[] {
  const kept: State[] = []
  for (const state of states) if (!kept.some((other) => covers(other, state))) kept.push(state)
  return kept.length <= MAX_STATES ? kept : [unknown({ ...AT_START, ways: mostWays(kept) })]
}

/** True when whatever follows the state, the other makes at least as much work of it. */
function covers(other: State, state: State): boolean {
  if (other.ways < state.ways || other.waysHere < state.waysHere) return false
  if (!other.near.every((takes) => takes === undefined || state.near.includes(takes))) return false
  const { open } = state
  if (other.open === undefined || open === undefined) return other.open === undefined
  return open.takes === other.open.takes && open.ways <= other.open.ways && open.waysHere <= other.open.waysHere
}
