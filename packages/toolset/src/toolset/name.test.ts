import { describe, expect, it } from 'vitest'
import { toSnakeCase } from './name.ts'

describe('toSnakeCase', () => {
  it.each([
    ['store', 'store'],
    ['listKeys', 'list_keys'],
    ['Store', 'store'],
    ['getURL', 'get_url'],
    ['parseHTMLDocument', 'parse_html_document'],
    ['URLFor', 'url_for'],
    ['ID', 'id'],
    ['toV2API', 'to_v2_api'],
    ['utf8ToUTF16', 'utf8_to_utf16'],
    ['already_URL', 'already_url'],
    ['get2Things', 'get2_things'],
    ['listURLs', 'list_urls'],
    ['getIDsOf', 'get_ids_of'],
    ['listAPIs2', 'list_apis2'],
    ['URLs_of', 'urls_of'],
    ['listSLAs', 'list_slas'],
    ['parseHTMLAsText', 'parse_html_as_text'],
    ['isURLSet', 'is_url_set'],
    ['toJSONString', 'to_json_string'],
    ['getIPv4Address', 'get_ipv4_address'],
    ['newUUIDv7', 'new_uuidv7'],
    ['toDBValue', 'to_db_value'],
    ['getHTTPSUrl2', 'get_https_url2'],
    ['parseJSON5', 'parse_json5'],
    ['iOSVersion', 'i_os_version'],
    ['already_snake', 'already_snake'],
    ['_private', '_private'],
    ['', ''],
  ])('converts %j to %j', (name, snake) => {
    expect(toSnakeCase(name)).toBe(snake)
  })
})
