/** A provider's own client, as far as its reading of a reply is compared with ours. */
import type { ClientReading } from './client-reading.ts'

export interface OfficialClient {
  /** The name of our wire format. */
  readonly wire: string
  /** What our base URL has behind the origin. */
  readonly path: string
  /** Sends one request and reads the reply. Rejects when the client does. */
  read(origin: string, stream: boolean): Promise<ClientReading>
}
