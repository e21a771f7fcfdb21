import * as z from 'zod/mini';
import type { SecretText } from '../../platform/config/secret-text.ts';
import { object } from '../../platform/contract/object.ts';
import { jsonText } from '../../platform/data/json-text.ts';
import {
  type ListedChanges,
  type Registry,
  type RegistryPolls,
  RegistryUnavailable,
  unknownNpn,
} from './registry.ts';
import { readReport, reportDecoder } from './report.ts';
import { currentKey, defaultTimeouts, type RegistryTimeouts, requested } from './requests.ts';

interface ReportRegistryOptions {
  readonly address: string;
  /** JSON of `customerNumber` and `pin`. The PIN changes every 90 days. */
  readonly access: SecretText;
  /** Where its lists of changes are put; absent for who does not read them. */
  readonly listedChanges?: ListedChanges | undefined;
  readonly now: () => Date;
  readonly timeouts?: RegistryTimeouts;
}

const accessData = object(() => ({ customerNumber: z.string(), pin: z.string() }));

function decoded(body: Buffer): string {
  try {
    return reportDecoder(body).decode(body);
  } catch {
    throw new RegistryUnavailable('The registry returned a report in an unknown encoding.');
  }
}

/** Why no connection was made: its message has the address, and so the PIN. */
const connectionFault = z.object({ code: z.optional(z.string()) });

/**
 * The registry by its reports in XML: one request for one NPN. The address of a request has the PIN, so nothing of it is in any
 * error. What to watch is told to the registry by whoever holds the contract, so that there is nothing to subscribe to.
 */
export function createReportRegistry({
  address,
  access,
  listedChanges,
  now,
  timeouts = defaultTimeouts,
}: ReportRegistryOptions): Registry & RegistryPolls {
  /** @throws RegistryUnavailable where the secret cannot be read. */
  async function addressOf(npn: string): Promise<URL> {
    // An operator may have replaced the PIN since.
    access.forget();
    const { success, data } = z.safeParse(z.pipe(jsonText, accessData), await currentKey(access));
    if (!success) {
      throw new RegistryUnavailable('The secret of the registry has no customerNumber and pin as JSON.');
    }
    const url = new URL(`${address.replace(/\/+$/, '')}/entityinfo_xml.cgi`);
    url.search = new URLSearchParams({
      customer_number: data.customerNumber,
      pin_number: data.pin,
      report_type: '1',
      id_entity: npn,
    }).toString();
    return url;
  }

  const fetchReport = async (npn: string) => {
    const body = await requested(timeouts, access, async (signal) => {
      const url = await addressOf(npn);
      return () =>
        fetch(url, { redirect: 'error', signal }).catch((error: unknown) => {
          const { name, cause } = error instanceof Error ? error : new Error();
          const { code = name } = z.safeParse(connectionFault, cause).data ?? {};
          throw new Error(code);
        });
    });
    return body && readReport(decoded(body));
  };

  return {
    subscribe: async () => undefined,
    fetch: fetchReport,
    callsPerPoll: 1,
    changesSince: async (cursor) => listedChanges?.(cursor, now()),
    poll: async (npn) => (await fetchReport(npn)) ?? unknownNpn,
  };
}
