/** Removes cycles of rules that refer to each other. A grammar parser doesn't terminate for a rule such as `a ::= a | b`. */
import { choice, type Expression, type Rules, rule } from './expression.ts'

/**
 * Makes all rules in a cycle equivalent. Each then matches everything that any of them matched, without the references that form
 * the cycle. If nothing is left, they match `instead`.
 */
export function breakUnitCycles(rules: Map<string, Expression>, instead: Expression): void {
  for (const circle of circlesOf(rules)) {
    const [first = '', ...rest] = circle
    const others = [first, ...rest].flatMap((name) => optionsOf(rules.get(name))).filter((option) => !isOneOf(option, circle))
    rules.set(first, others.length === 0 ? instead : choice(...new Set(others)))
    for (const name of rest) rules.set(name, rule(first))
  }
}

function isOneOf(option: Expression, circle: ReadonlySet<string>): boolean {
  return option.kind === 'rule' && circle.has(option.name)
}

/** Returns the alternatives of an expression. */
function optionsOf(expression: Expression | undefined): readonly Expression[] {
  if (expression === undefined) return []
  return expression.kind === 'choice' ? expression.options.flatMap(optionsOf) : [expression]
}

function ledTo(rules: Rules, name: string): readonly string[] {
  return optionsOf(rules.get(name)).flatMap((option) => (option.kind === 'rule' ? [option.name] : []))
}

/** Finds the cycles: strongly connected components by Kosaraju's algorithm, in linear time and without recursion. */
function circlesOf(rules: Rules): readonly ReadonlySet<string>[] {
  const ahead = new Map([...rules.keys()].map((name) => [name, ledTo(rules, name)] as const))
  const back = new Map<string, string[]>([...rules.keys()].map((name) => [name, []]))
  for (const [name, all] of ahead) for (const next of all) back.get(next)?.push(name)
  const seen = new Set<string>()
  const order = [...rules.keys()].flatMap((name) => reach(name, ahead, seen)).reverse()
  const taken = new Set<string>()
  return order
    .map((name) => new Set(reach(name, back, taken)))
    .filter((part) => part.size > 1 || [...part].some((name) => ahead.get(name)?.includes(name)))
}

/** Returns the reachable rules that haven't been seen yet. Each comes after the rules that it refers to. */
function reach(start: string, edges: ReadonlyMap<string, readonly string[]>, seen: Set<string>): readonly string[] {
  const done: string[] = []
  if (seen.has(start)) return done
  seen.add(start)
  const path = [{ name: start, at: 0 }]
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = edges.get(top.name)?.[top.at++]
    if (next === undefined) {
      done.push(top.name)
      path.pop()
    } else if (!seen.has(next)) {
      seen.add(next)
      path.push({ name: next, at: 0 })
    }
  }
  return done
}
