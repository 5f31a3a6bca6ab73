/**
 * Changes how AJV writes the paths of errors. AJV escapes a key again for every error below it, so a long key above a list would be escaped
 * once per item.
 */
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { pointerSegment } from '../../pointer.ts'
import type { CodeWords } from './ajv-refs.ts'

/** Makes AJV escape each long key only once per check. Returns a function that clears the cache and must be called before each check. */
export function escapeKeysOnce(ajv: Ajv, { _, str }: CodeWords): () => void {
  const escaped = new Map<string, string>()
  const toSegment = (key: string): string => {
    if (key.length < LONG) return pointerSegment(key)
    const known = escaped.get(key) ?? pointerSegment(key)
    escaped.set(key, known)
    return known
  }
  for (const keyword of OF_ANY_KEY) {
    const definition = ajv.getKeyword(keyword)
    if (typeof definition === 'boolean') continue
    const { code } = definition as CodeKeywordDefinition
    Object.assign(definition, { code: (context: KeywordCxt) => code(withPaths(context, toSegment)) })
  }
  return () => {
    if (escaped.size > 0) escaped.clear()
  }

  function withPaths(context: KeywordCxt, ref: typeof toSegment): KeywordCxt {
    const { gen, it, subschema: original } = context
    const subschema: KeywordCxt['subschema'] = (applied, valid) => {
      const { errorPath } = it
      const key = _`${gen.scopeValue('func', { ref })}(${applied.dataProp})`
      Object.assign(it, { errorPath: str`${errorPath}/${key}` })
      const data = _`${it.data}[${applied.dataProp}]`
      const made = Reflect.apply(original, context, [{ ...applied, dataProp: undefined, dataPropType: undefined, data }, valid])
      Object.assign(it, { errorPath })
      return made
    }
    return Object.assign(context, { subschema })
  }
}

const LONG = 100
const OF_ANY_KEY = ['additionalProperties', 'patternProperties']
