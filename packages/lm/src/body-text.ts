/** Writes request bodies. A conversation's requests begin with the same converted messages and tools, which are written only once. */

/** The items at the start of a list that can't change any more, and their text: `1,2`. */
interface Written {
  readonly items: readonly unknown[]
  readonly text: string
}

/** Returns a function that writes the same text as `JSON.stringify`. It takes frozen items of the body's lists for unchangeable. */
export function createBodyWriter(): (body: unknown) => string {
  const byFirst = new WeakMap<object, Written>()

  function writeList(list: readonly unknown[]): string {
    const [first] = list
    if (!isFixed(first)) return JSON.stringify(list)
    const known = byFirst.get(first)
    const { items, text } = known?.items.every((item, index) => item === list[index]) ? known : NOTHING
    let end = items.length
    while (isFixed(list[end])) end++
    const longer = joined(text, list.slice(items.length, end))
    byFirst.set(first, { items: list.slice(0, end), text: longer })
    return `[${joined(longer, list.slice(end))}]`
  }

  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'toJSON' in body) return JSON.stringify(body)
    let members = ''
    for (const [name, value] of Object.entries(body)) {
      const text = Array.isArray(value) ? writeList(value) : JSON.stringify(value)
      if (text) members += `${members && ','}${JSON.stringify(name)}:${text}`
    }
    return `{${members}}`
  }
}

const NOTHING: Written = { items: [], text: '' }

function isFixed(item: unknown): item is object {
  return Object(item) === item && Object.isFrozen(item)
}

/** Appends items to the text of others. */
function joined(text: string, items: readonly unknown[]): string {
  const more = JSON.stringify(items).slice(1, -1)
  return text && more ? `${text},${more}` : text + more
}
