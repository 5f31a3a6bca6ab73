/** A provider's own client, for comparing its reading of a reply with ours. */
import type { ClientReading } from './client-reading.ts'

export interface OfficialClient {
  /** The name of our wire format. */
  readonly wire: string
  /** The path of our base URL. */
  readonly path: string
  /** Sends one request and reads the reply. Rejects when the client does. */
  read(origin: string, stream: boolean): Promise<ClientReading>
}
