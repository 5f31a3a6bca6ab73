/** A provider's own client, for comparing its reading of a reply with ours. */
import type { ClientReading } from './client-reading.ts'

export interface OfficialClient {
  /** The name of our wire format. */
  readonly wire: string
  /** Path of our client's base URL. */
  readonly path: string
  /** Sends one request and reads the reply. Rejects if the client does. */
  read(origin: string, stream: boolean): Promise<ClientReading>
}
