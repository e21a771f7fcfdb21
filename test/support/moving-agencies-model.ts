import {
  ask,
  entity,
  filing,
  given,
  id,
  idsOf,
  move,
  newOrganization,
  place,
  routes,
  upload,
} from './moving-agencies.ts';
import { agencies, nowhere, organizations, type Step, type Write } from './moving-agencies-steps.ts';

/** A record of an agency, as the model knows it. */
interface OfAgency {
  readonly _id: string;
  readonly agency: number;
}

interface Filing extends OfAgency {
  replies: number;
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

/** Organizations with agencies that move among them, and what each may see: only of those that it has at the moment. */
export async function createModel() {
  const carrier = await newOrganization('upstreamEntity');
  const owners = await Promise.all(
    Array.from({ length: organizations }, () => newOrganization('downstreamEntity')),
  );
  const entities = Array.from({ length: agencies }, id);
  // One agency joins no organization at first.
  const at = [0, 1, nowhere];
  const npnOf = (agency: number) => ({ npn: String(7_000_000 + agency), isNpnRequired: true });
  await given(
    undefined,
    ...entities.map((_id, agency) => entity(_id, owners[at[agency] ?? 0], npnOf(agency))),
  );
  await given(carrier, { type: 'compliance-config', productId: id(), productName: 'GL', states: [] });

  const filings: Filing[] = [];
  const markets: (OfAgency & { readonly isOnPlatform: boolean })[] = [];
  const registrations: OfAgency[] = [];
  const requests: OfAgency[] = [];
  const documents = new Map<string, { readonly agency?: number; readonly organization?: number }>();
  const contacts = new Set<string>();
  const open = new Set<string>();

  const isOwn = (organization: number, { agency }: { readonly agency: number }) =>
    at[agency] === organization;
  const entityIdOf = (agency: number): string => entities[agency] ?? '';
  const ownerOf = (organization: number): string => owners[organization] ?? '';

  /** Makes a write and checks its status; beside a move, it may also have come too late, or just in time. */
  async function make({ what, organization, agency, record }: Write, isDuringMove: boolean): Promise<void> {
    const owner = ownerOf(organization);
    const entityId = entityIdOf(agency);
    const expectStatus = (status: number | string, ifOwn: number, isRight: boolean): boolean => {
      if (isDuringMove) expect([ifOwn, 404]).toContain(status);
      else expect({ what, status }).toEqual({ what, status: isRight ? ifOwn : 404 });
      return status === ifOwn;
    };
    if (what === 'import filing') {
      const _id = id();
      await given(carrier, filing(_id, entityId));
      filings.push({ _id, agency, replies: 0 });
    } else if (what === 'import association') {
      const _id = id();
      await given(carrier, { type: 'association', _id, downstreamEntityId: entityId, branchName: _id });
      markets.push({ _id, agency, isOnPlatform: true });
    } else if (what === 'import market' || what === 'import registration') {
      const present = at[agency] ?? nowhere;
      if (isDuringMove || present === nowhere) return;
      const _id = id();
      const shared = { _id, downstreamEntityId: entityId };
      if (what === 'import market') {
        await given(ownerOf(present), { type: 'market', ...shared, upstreamEntityName: `Market ${_id}` });
        markets.push({ _id, agency, isOnPlatform: false });
      } else {
        const fields = { stateCode: 'TX', registrationType: 'domestic', registrationNumber: _id };
        await given(ownerOf(present), { type: 'corporate-registration', ...shared, ...fields });
        registrations.push({ _id, agency });
      }
    } else if (what === 'reply') {
      const found = pick(filings, record);
      if (found === undefined) return;
      const { status } = await ask(routes.createAgencyFilingEscalationMessage, owner, {
        params: { filingId: found._id },
        body: { ...place, body: 'Here it is.' },
      });
      if (expectStatus(status, 201, isOwn(organization, found))) found.replies += 1;
    } else if (what === 'attach' || what === 'set document') {
      const found = pick(filings, record);
      if (found === undefined) return;
      const fileDocumentId = String(await upload(owner, 'Surplus Lines'));
      documents.set(fileDocumentId, { organization });
      const params = { filingId: found._id };
      const { status } = await (what === 'attach'
        ? ask(routes.attachAgencyFilingFiles, owner, {
            params,
            body: { ...place, fileDocumentIds: [fileDocumentId] },
          })
        : ask(routes.replaceAgencyFilingPolicyDocument, owner, { params, body: { fileDocumentId } }));
      expectStatus(status, what === 'attach' ? 201 : 200, isOwn(organization, found));
    } else if (what === 'upload') {
      const found = pick(markets, record);
      if (found === undefined) return;
      const document = await upload(owner, 'Other Document', found._id);
      const status = typeof document === 'string' ? 201 : document;
      if (expectStatus(status, 201, isOwn(organization, found))) {
        documents.set(String(document), { agency: found.agency });
      }
    } else if (what === 'request license') {
      if (isDuringMove || open.has(entityId)) return;
      const { status, data } = await ask(routes.createAgencyLicenseRequest, owner, {
        body: { downstreamEntityId: entityId, type: 'new', stateCode: 'OK' },
      });
      if (expectStatus(status, 201, isOwn(organization, { agency }))) {
        requests.push({ _id: String(data['_id']), agency });
        open.add(entityId);
      }
    } else if (what === 'cancel') {
      const found = pick(requests, record);
      if (found === undefined || !open.has(entityIdOf(found.agency)) || isDuringMove) return;
      if (found !== requests.findLast((one) => one.agency === found.agency)) return;
      const params = { licenseRequestId: found._id };
      const { status } = await ask(routes.cancelAgencyLicenseRequest, owner, { params });
      if (expectStatus(status, 200, isOwn(organization, found))) open.delete(entityIdOf(found.agency));
    } else {
      const scope = `${record} ${agency}`;
      // A scope that exists is another refusal.
      if (contacts.has(scope)) return;
      const email = `${record}@agency.example`;
      const person = { firstName: 'Maria', lastName: 'Delgado', email, downstreamEntityId: entityId };
      const { status } = await ask(routes.createAgencyContact, owner, { body: person });
      if (expectStatus(status, 201, isOwn(organization, { agency }))) contacts.add(scope);
    }
  }

  async function moveTo(agency: number, to: number): Promise<void> {
    const organizationId = to === nowhere ? undefined : ownerOf(to);
    await move(entityIdOf(agency), organizationId, npnOf(agency));
    at[agency] = to;
  }

  return {
    async take(step: Step): Promise<void> {
      if (step.what === 'move') return moveTo(step.agency, step.to);
      if (step.what !== 'together') return make(step, false);
      // Two of one kind could be the same write.
      const different = new Map(step.writes.map((one) => [one.what, one]));
      await Promise.all([
        moveTo(step.agency, step.to),
        ...Array.from(different.values(), (one) => make(one, true)),
      ]);
    },

    /** What an organization sees through every route, against what it may see. */
    async check(organization: number): Promise<void> {
      const owner = ownerOf(organization);
      const own = <Item extends OfAgency>(items: readonly Item[]) =>
        items.filter((item) => isOwn(organization, item));
      const idsOfOwn = (items: readonly OfAgency[]) =>
        own(items)
          .map(({ _id }) => _id)
          .sort();
      const marketKey = 'upstreamDownstreamAssociationId';
      const ownDocuments = [...documents].filter(([, document]) =>
        document.agency === undefined
          ? document.organization === organization
          : isOwn(organization, { agency: document.agency }),
      );
      const all: readonly [Parameters<typeof idsOf>[0], string, readonly string[]][] = [
        [routes.listAgencyFilings, '_id', idsOfOwn(filings)],
        [
          routes.listAgencyActionsRequired,
          'filingId',
          idsOfOwn(filings.filter(({ replies }) => replies === 0)),
        ],
        [routes.listAgencyMarkets, marketKey, idsOfOwn(markets)],
        [
          routes.listAgencyComplianceConfigs,
          marketKey,
          idsOfOwn(markets.filter(({ isOnPlatform }) => isOnPlatform)),
        ],
        [routes.listAgencyCorporateRegistrations, '_id', idsOfOwn(registrations)],
        [routes.listAgencyLicenseRequests, '_id', idsOfOwn(requests)],
        [routes.listAgencyFileDocuments, '_id', ownDocuments.map(([_id]) => _id).sort()],
        [routes.listAgencyEntities, '_id', idsOfOwn(entities.map((_id, agency) => ({ _id, agency })))],
      ];
      for (const [route, key, expected] of all) {
        expect({ path: route.path, ids: await idsOf(route, owner, key) }).toEqual({
          path: route.path,
          ids: expected,
        });
      }
      const statusOf = async (route: Parameters<typeof ask>[0], params: Record<string, string>) =>
        (await ask(route, owner, { params })).status;
      for (const [agency, downstreamEntityId] of entities.entries()) {
        const isMine = isOwn(organization, { agency });
        expect(await statusOf(routes.getAgencyEntity, { downstreamEntityId })).toBe(isMine ? 200 : 404);
        const query = { downstreamEntityId };
        const { status, data } = await ask(routes.listAgencyFilings, owner, { query });
        const ofAgency = filings.filter((one) => one.agency === agency);
        expect([status, data['total']]).toEqual(isMine ? [200, ofAgency.length] : [404, undefined]);
      }
      for (const one of filings) {
        const { status, data } = await ask(routes.getAgencyFiling, owner, {
          params: { filingId: one._id },
        });
        expect(status).toBe(isOwn(organization, one) ? 200 : 404);
        const [escalation] = (data['escalations'] ?? []) as { readonly messages: readonly object[] }[];
        if (status === 200) expect(escalation?.messages).toHaveLength(one.replies);
      }
      for (const one of requests) {
        const params = { licenseRequestId: one._id };
        expect(await statusOf(routes.getAgencyLicenseRequest, params)).toBe(
          isOwn(organization, one) ? 200 : 404,
        );
      }
      const readable = new Set(ownDocuments.map(([_id]) => _id));
      for (const fileDocumentId of documents.keys()) {
        const expected = readable.has(fileDocumentId) ? 200 : 404;
        expect(await statusOf(routes.getAgencyFileDocument, { fileDocumentId })).toBe(expected);
        expect(await statusOf(routes.getAgencyFileDocumentDownloadUrl, { fileDocumentId })).toBe(expected);
      }
    },

    /** An organization's contacts: by address, with the agencies at which it sees them; and those ids of others. */
    async checkContacts(): Promise<void> {
      const idsSeen: string[][] = [];
      for (const [organization, owner] of owners.entries()) {
        const { data } = await ask(routes.listAgencyContacts, owner, { query: { limit: '100' } });
        const items = data['items'] as {
          readonly contactId: string;
          readonly email: string;
          readonly associations: readonly { readonly downstreamEntityId: string }[];
        }[];
        const seen = items.flatMap(({ email, associations }) =>
          associations.map((one) => `${email[0]} ${entities.indexOf(one.downstreamEntityId)}`),
        );
        const expected = [...contacts].filter((scope) => at[Number(scope.split(' ')[1])] === organization);
        expect(seen.sort()).toEqual(expected.sort());
        expect(data['total']).toBe(new Set(expected.map((scope) => scope[0])).size);
        idsSeen.push(items.map(({ contactId }) => contactId));
      }
      for (const [organization, owner] of owners.entries()) {
        for (const contactId of new Set(idsSeen.flat())) {
          const { status } = await ask(routes.getAgencyContact, owner, { params: { contactId } });
          expect(status).toBe(idsSeen[organization]?.includes(contactId) ? 200 : 404);
        }
      }
    },
  };
}
