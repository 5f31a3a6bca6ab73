/** Writes request bodies. A conversation's requests begin with the same converted messages and tools, which are written only once. */

/** The items at the start of a list that can't change any more, and their text, such as `1,2`. */
interface Written {
  items: readonly unknown[]
  text: string
  /** The list itself if it can't change either, such as the tools of a conversation. */
  whole?: readonly unknown[] | undefined
}

/** Returns a function that writes the same text as `JSON.stringify`. It takes frozen items of the body's lists for unchangeable. */
export function createBodyWriter(): (body: unknown) => string {
  const byFirst = new WeakMap<object, Written>()

  function writeList(list: readonly unknown[]): string {
    const [first] = list
    if (!isFixed(first)) return JSON.stringify(list)
    let known = byFirst.get(first)
    if (known?.whole === list) return `[${known.text}]`
    if (!known?.items.every((item, index) => item === list[index])) known = { items: [], text: '' }
    byFirst.set(first, known)
    let end = known.items.length
    while (isFixed(list[end])) end++
    known.text = joined(known.text, list.slice(known.items.length, end))
    known.items = list.slice(0, end)
    known.whole = end === list.length && Object.isFrozen(list) ? list : undefined
    return `[${joined(known.text, list.slice(end))}]`
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

function isFixed(item: unknown): item is object {
  return Object(item) === item && Object.isFrozen(item)
}

/** Appends items to the text of others. */
function joined(text: string, items: readonly unknown[]): string {
  const more = JSON.stringify(items).slice(1, -1)
  return text && more ? `${text},${more}` : text + more
}
