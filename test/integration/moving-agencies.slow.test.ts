import { agent } from '../support/import-lines.ts';
import {
  ask,
  entity,
  filing,
  finishMoves,
  given,
  held,
  id,
  idsOf,
  move,
  newOrganization,
  place,
  routes,
  upload,
} from '../support/moving-agencies.ts';
import { dynamo } from '../support/tables.ts';

describe('moving agencies', () => {
  /** What a write needs, and how its success shows. */
  interface Prepared {
    readonly write: (organizationId: string) => Promise<{ readonly status: number | string }>;
    /** What the agency's next organization sees of it, which a refused write must not change. */
    readonly seen: (organizationId: string) => Promise<unknown>;
  }

  type Prepare = (agency: string, organizationId: string) => Promise<Prepared>;

  const ofFiling =
    (write: (filingId: string, organizationId: string, fileId: string) => ReturnType<typeof ask>): Prepare =>
    async (agency, organizationId) => {
      const filingId = id();
      await given(await newOrganization('upstreamEntity'), filing(filingId, agency));
      const fileId = String(await upload(organizationId, 'Surplus Lines'));
      return {
        write: (caller) => write(filingId, caller, fileId),
        seen: async (caller) => (await ask(routes.getAgencyFiling, caller, { params: { filingId } })).data,
      };
    };

  const licenseRequest = (downstreamEntityId: string) => ({
    body: { downstreamEntityId, type: 'new', stateCode: 'OK' },
  });

  /** A write of a contact of the agency. */
  const ofContact =
    (write: (params: { contactId: string }, caller: string) => ReturnType<typeof ask>): Prepare =>
    async (agency, organizationId) => {
      const person = { firstName: 'Maria', lastName: 'Delgado', email: `${id()}@agency.example` };
      const body = { ...person, downstreamEntityId: agency };
      const { data } = await ask(routes.createAgencyContact, organizationId, { body });
      const params = { contactId: String(data['contactId']) };
      return {
        write: (caller) => write(params, caller),
        seen: async (caller) => (await ask(routes.getAgencyContact, caller, { params })).data,
      };
    };

  const writes: Readonly<Record<string, Prepare>> = {
    createAgencyFilingEscalationMessage: ofFiling((filingId, caller) =>
      ask(routes.createAgencyFilingEscalationMessage, caller, {
        params: { filingId },
        body: { ...place, body: 'Here it is.' },
      }),
    ),
    attachAgencyFilingFiles: ofFiling((filingId, caller, fileId) =>
      ask(routes.attachAgencyFilingFiles, caller, {
        params: { filingId },
        body: { ...place, fileDocumentIds: [fileId] },
      }),
    ),
    replaceAgencyFilingPolicyDocument: ofFiling((filingId, caller, fileDocumentId) =>
      ask(routes.replaceAgencyFilingPolicyDocument, caller, {
        params: { filingId },
        body: { fileDocumentId },
      }),
    ),
    createAgencyFileDocument: async (agency, organizationId) => {
      const market = id();
      const record = {
        type: 'market',
        _id: market,
        downstreamEntityId: agency,
        upstreamEntityName: 'Beacon',
      };
      await given(organizationId, record);
      return {
        write: async (caller) => {
          const uploaded = await upload(caller, 'Other Document', market);
          return { status: typeof uploaded === 'string' ? 201 : uploaded };
        },
        seen: (caller) => idsOf(routes.listAgencyFileDocuments, caller, '_id'),
      };
    },
    createAgencyContact: async (agency) => ({
      write: (caller) =>
        ask(routes.createAgencyContact, caller, {
          body: {
            firstName: 'Maria',
            lastName: 'Delgado',
            email: 'maria@agency.example',
            downstreamEntityId: agency,
          },
        }),
      seen: (caller) => idsOf(routes.listAgencyContacts, caller, 'contactId'),
    }),
    updateAgencyContact: ofContact((params, caller) =>
      ask(routes.updateAgencyContact, caller, { params, body: { lastName: 'Vega' } }),
    ),
    deleteAgencyContact: ofContact((params, caller) => ask(routes.deleteAgencyContact, caller, { params })),
    createAgencyLicenseRequest: async (agency) => ({
      write: (caller) => ask(routes.createAgencyLicenseRequest, caller, licenseRequest(agency)),
      seen: (caller) => idsOf(routes.listAgencyLicenseRequests, caller, '_id'),
    }),
    cancelAgencyLicenseRequest: async (agency, organizationId) => {
      const { data } = await ask(routes.createAgencyLicenseRequest, organizationId, licenseRequest(agency));
      const params = { licenseRequestId: String(data['_id']) };
      return {
        write: (caller) => ask(routes.cancelAgencyLicenseRequest, caller, { params }),
        seen: async (caller) => (await ask(routes.getAgencyLicenseRequest, caller, { params })).data,
      };
    },
  };

  /** Does some work, and something else before one of its database calls; answers whether it came to that. */
  async function interrupted<Result>(
    before: number,
    work: () => Promise<Result>,
    interrupt: () => Promise<void>,
  ): Promise<{ readonly result: Result; readonly isInterrupted: boolean }> {
    let calls = 0;
    let interruption: Promise<void> | undefined;
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        calls += 1;
        if (calls === before) {
          interruption = interrupt();
          await interruption;
        }
        return next(args);
      },
      { step: 'initialize', name: 'interrupted' },
    );
    try {
      const result = await work();
      // A call beside the interrupted one may have ended the work.
      await interruption;
      return { result, isInterrupted: interruption !== undefined };
    } finally {
      dynamo.middlewareStack.remove('interrupted');
    }
  }

  describe('a write is refused, and changes nothing, when the agency moves before any of its database calls', () => {
    it.each(Object.keys(writes))('%s', async (name) => {
      const npn = { npn: '17654321', isNpnRequired: true };
      const from = await newOrganization('downstreamEntity');
      const to = await newOrganization('downstreamEntity');
      const agency = id();
      await given(undefined, entity(agency, from, npn));
      const prepared = await writes[name]?.(agency, from);
      if (prepared === undefined) throw new Error(`${name} is not prepared.`);
      let succeeded = 0;
      for (let call = 1; succeeded === 0; call += 1) {
        let seen: unknown;
        const { result, isInterrupted } = await interrupted(
          call,
          () => prepared.write(from),
          async () => {
            await move(agency, to, npn);
            seen = await prepared.seen(to);
          },
        );
        if (isInterrupted) {
          expect(result.status).toBe(404);
          expect(await prepared.seen(to)).toEqual(seen);
          await move(agency, from, npn);
        } else {
          expect([200, 201]).toContain(result.status);
          succeeded = call;
        }
      }
      // Rate counter, reads, and the transaction were each preceded by a move.
      expect(succeeded).toBeGreaterThan(3);
    });
  });

  describe('while the agency moves', () => {
    const npn = { npn: '17654321', isNpnRequired: true };
    afterEach(() => {
      held.messages = undefined;
    });

    it.each(Object.keys(writes))('its organization reads, and is told to try %s again', async (name) => {
      const from = await newOrganization('downstreamEntity');
      const to = await newOrganization('downstreamEntity');
      const agency = id();
      await given(undefined, entity(agency, from, npn));
      const prepared = await writes[name]?.(agency, from);
      if (prepared === undefined) throw new Error(`${name} is not prepared.`);
      const seen = await prepared.seen(from);
      held.messages = [];
      await move(agency, to, npn);
      const answer = await prepared.write(from);
      expect(answer.status).toBe(409);
      if ('headers' in answer) expect(answer.headers).toMatchObject({ 'retry-after': '30' });
      expect(await prepared.seen(from)).toEqual(seen);
      await finishMoves(held.messages);
      expect(await prepared.seen(to)).toEqual(seen);
      expect((await prepared.write(from)).status).toBe(404);
    });

    it('an import that gives it to a third organization is refused, and one of a market', async () => {
      const [from, to, third] = await Promise.all([0, 1, 2].map(() => newOrganization('downstreamEntity')));
      const agency = id();
      await given(undefined, entity(agency, from));
      held.messages = [];
      await move(agency, to);
      const market = { type: 'market', downstreamEntityId: agency, upstreamEntityName: 'Beacon' };
      await expect(move(agency, third)).rejects.toThrow('The agency is moving');
      await expect(given(from, market)).rejects.toThrow('The agency is moving');
      // The same line again, after a message that was lost.
      held.messages = [];
      await move(agency, to);
      await finishMoves(held.messages);
      await given(to, market);
    });
  });
});

describe('moving agencies records', () => {
  let carrier: string;
  let first: string;
  let second: string;
  let agency: string;

  beforeEach(async () => {
    carrier = await newOrganization('upstreamEntity');
    first = await newOrganization('downstreamEntity');
    second = await newOrganization('downstreamEntity');
    agency = id();
    await given(undefined, entity(agency, first));
  });

  const body = (fields: object = {}) => ({ ...place, body: 'Here it is.', ...fields });
  const reply = async (organizationId: string, filingId: string, fields?: object) =>
    (
      await ask(routes.createAgencyFilingEscalationMessage, organizationId, {
        params: { filingId },
        body: body(fields),
      })
    ).status;
  const read = async (organizationId: string, filingId: string) =>
    (await ask(routes.getAgencyFiling, organizationId, { params: { filingId } })).status;

  describe('a filing', () => {
    let filingId: string;
    beforeEach(async () => {
      filingId = id();
      await given(carrier, filing(filingId, agency));
    });
    const attach = async (organizationId: string, fileDocumentIds: unknown[]) =>
      (
        await ask(routes.attachAgencyFilingFiles, organizationId, {
          params: { filingId },
          body: { ...place, fileDocumentIds },
        })
      ).status;
    const setDocument = async (organizationId: string, fileDocumentId: unknown) =>
      (
        await ask(routes.replaceAgencyFilingPolicyDocument, organizationId, {
          params: { filingId },
          body: { fileDocumentId },
        })
      ).status;

    /** Everything that an organization can do with the filing: read it, list it, and write to it. */
    const expectOwnedBy = async (owner: string, other: string) => {
      expect([await read(owner, filingId), await read(other, filingId)]).toEqual([200, 404]);
      for (const query of [{}, { downstreamEntityId: agency }, { status: 'in progress', stateCode: 'TX' }]) {
        expect(await idsOf(routes.listAgencyFilings, owner, '_id', query)).toContain(filingId);
      }
      expect(await idsOf(routes.listAgencyFilings, other, '_id')).toEqual([]);
      expect(await idsOf(routes.listAgencyFilings, other, '_id', { status: 'in progress' })).toEqual([]);
      for (const [organizationId, status, set] of [
        [other, 404, 404],
        [owner, 201, 200],
      ] as const) {
        expect(await attach(organizationId, [await upload(organizationId, 'Surplus Lines')])).toBe(status);
        expect(await setDocument(organizationId, await upload(organizationId, 'Surplus Lines'))).toBe(set);
        expect(await reply(organizationId, filingId)).toBe(status);
      }
    };

    it('belongs to the organization that its agency moved to', async () => {
      await expectOwnedBy(first, second);
      await move(agency, second);
      await expectOwnedBy(second, first);
    });

    it('belongs to the organization that its agency came back to', async () => {
      await move(agency, second);
      await move(agency, first);
      await expectOwnedBy(first, second);
    });

    it('belongs to the organization that its agency joined later', async () => {
      const joining = id();
      const earlier = id();
      await given(undefined, entity(joining));
      await given(carrier, filing(earlier, joining));
      expect(await read(second, earlier)).toBe(404);
      await move(joining, second);
      expect([await read(second, earlier), await reply(second, earlier)]).toEqual([200, 201]);
      expect(await idsOf(routes.listAgencyFilings, second, '_id')).toEqual([earlier]);
    });

    it('belongs to no organization when its agency left', async () => {
      await move(agency);
      expect([await read(first, filingId), await reply(first, filingId)]).toEqual([404, 404]);
      expect(await idsOf(routes.listAgencyFilings, first, '_id')).toEqual([]);
    });
  });

  describe('records that move with their agency', () => {
    it('are its markets, whether or not their carrier is on the platform', async () => {
      const [association, market] = [id(), id()];
      await given(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
      await given(first, {
        type: 'market',
        _id: market,
        downstreamEntityId: agency,
        upstreamEntityName: 'Off the platform',
      });
      await move(agency, second);
      const key = 'upstreamDownstreamAssociationId';
      expect(await idsOf(routes.listAgencyMarkets, second, key)).toEqual([association, market].sort());
      expect(await idsOf(routes.listAgencyMarkets, first, key)).toEqual([]);
      const document = await upload(second, 'Other Document', market);
      expect(document).toEqual(expect.any(String));
      expect(await upload(first, 'Other Document', association)).toBe(404);
      expect(
        await idsOf(routes.listAgencyFileDocuments, second, '_id', { downstreamEntityId: agency }),
      ).toEqual([document]);
    });

    it('are the files that were uploaded for its markets, not those that were uploaded for none', async () => {
      const association = id();
      await given(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
      const file = String(await upload(first, 'Other Document', association));
      const kept = String(await upload(first, 'Other Document'));
      await move(agency, second);
      const download = async (organizationId: string, fileDocumentId: string) =>
        (await ask(routes.getAgencyFileDocumentDownloadUrl, organizationId, { params: { fileDocumentId } }))
          .status;
      expect([await download(first, file), await download(second, file)]).toEqual([404, 200]);
      expect([await download(first, kept), await download(second, kept)]).toEqual([200, 404]);
      expect(await idsOf(routes.listAgencyFileDocuments, first, '_id')).toEqual([kept]);
      expect(await idsOf(routes.listAgencyFileDocuments, second, '_id')).toEqual([file]);
      // The next version of the file is one, whoever uploads it.
      expect(await upload(second, 'Other Document', association)).toBe(file);
    });

    it('are its license requests', async () => {
      const request = { downstreamEntityId: agency, type: 'new', stateCode: 'OK' };
      await given(undefined, entity(agency, first, { npn: '17654321' }));
      const { data } = await ask(routes.createAgencyLicenseRequest, first, { body: request });
      const params = { licenseRequestId: String(data['_id']) };
      await given(undefined, entity(agency, second, { npn: '17654321' }));
      const get = async (organizationId: string) =>
        (await ask(routes.getAgencyLicenseRequest, organizationId, { params })).status;
      const cancel = async (organizationId: string) =>
        (await ask(routes.cancelAgencyLicenseRequest, organizationId, { params })).status;
      expect([await get(first), await get(second), await cancel(first)]).toEqual([404, 200, 404]);
      expect(await idsOf(routes.listAgencyLicenseRequests, first, '_id')).toEqual([]);
      expect(await idsOf(routes.listAgencyLicenseRequests, second, '_id')).toEqual([data['_id']]);
      expect((await ask(routes.createAgencyLicenseRequest, second, { body: request })).status).toBe(409);
      expect(await cancel(second)).toBe(200);
      expect(await cancel(first)).toBe(404);
    });

    it('are its corporate registrations', async () => {
      const registration = id();
      await given(first, {
        type: 'corporate-registration',
        _id: registration,
        downstreamEntityId: agency,
        stateCode: 'TX',
        registrationType: 'domestic',
        registrationNumber: '0801234567',
      });
      await move(agency, second);
      expect(await idsOf(routes.listAgencyCorporateRegistrations, first, '_id')).toEqual([]);
      expect(await idsOf(routes.listAgencyCorporateRegistrations, second, '_id')).toEqual([registration]);
    });

    it('are its contacts', async () => {
      const person = (email: string, downstreamEntityId: string) => ({
        firstName: 'Maria',
        lastName: 'Delgado',
        email,
        downstreamEntityId,
      });
      const other = id();
      await given(undefined, entity(other, first));
      const add = async (organizationId: string, email: string, entityId: string) =>
        await ask(routes.createAgencyContact, organizationId, { body: person(email, entityId) });
      const there = String((await add(first, 'a@agency.example', agency)).data['contactId']);
      const both = String((await add(first, 'b@agency.example', agency)).data['contactId']);
      await add(first, 'b@agency.example', other);
      await move(agency, second);
      const get = (organizationId: string, contactId: string) =>
        ask(routes.getAgencyContact, organizationId, { params: { contactId } });
      expect([(await get(first, there)).status, (await get(second, there)).status]).toEqual([404, 200]);
      expect(await idsOf(routes.listAgencyContacts, first, 'contactId')).toEqual([both]);
      expect(await idsOf(routes.listAgencyContacts, second, 'contactId')).toEqual([there, both].sort());
      expect((await get(first, both)).data['associations']).toMatchObject([{ downstreamEntityId: other }]);
      expect((await get(second, both)).data['associations']).toMatchObject([{ downstreamEntityId: agency }]);
      expect((await add(first, 'c@agency.example', agency)).status).toBe(404);
      expect((await add(second, 'c@agency.example', agency)).status).toBe(201);
    });

    it('are not its former organization’s producers, who no longer show the agency', async () => {
      const producer = id();
      await given(first, agent({ _id: producer, downstreamEntityIds: [agency] }));
      await move(agency, second);
      const { data } = await ask(routes.listAgencyProducers, first, {});
      expect(data['items']).toMatchObject([{ _id: producer, downstreamEntityIds: [] }]);
      expect(await idsOf(routes.listAgencyProducers, second, '_id')).toEqual([]);
    });
  });

  describe('a move that crashes', () => {
    /** Calls that write. */
    const writing = /^(Put|Update|Delete|BatchWrite|TransactWrite)Item/;

    /** Does moves, and ends at one of their writes, before it is made or after; answers whether it came to that. */
    async function crashing(messages: readonly object[], at: number, isMade: boolean): Promise<boolean> {
      let count = 0;
      let hasCrashed = false;
      dynamo.middlewareStack.add(
        (next, { commandName = '' }) =>
          async (args) => {
            if (hasCrashed) throw new Error('crashed');
            if (!writing.test(commandName)) return next(args);
            count += 1;
            if (count < at) return next(args);
            hasCrashed = true;
            if (isMade) await next(args);
            throw new Error('crashed');
          },
        { step: 'initialize', name: 'crashing' },
      );
      try {
        await finishMoves(messages).catch((error: unknown) => {
          if (!hasCrashed) throw error;
        });
        return hasCrashed;
      } finally {
        dynamo.middlewareStack.remove('crashing');
      }
    }

    const lists = [
      [routes.listAgencyEntities, '_id'],
      [routes.listAgencyMarkets, 'upstreamDownstreamAssociationId'],
      [routes.listAgencyFileDocuments, '_id'],
      [routes.listAgencyFilings, '_id'],
      [routes.listAgencyLicenseRequests, '_id'],
      [routes.listAgencyCorporateRegistrations, '_id'],
      [routes.listAgencyContacts, 'contactId'],
    ] as const;

    it.each([
      ['before', false],
      ['after', true],
    ])('%s any of its writes is done by the next delivery, and loses nothing', async (_, isMade) => {
      const npn = { npn: '17654321', isNpnRequired: true };
      const filingId = id();
      await given(undefined, entity(agency, first, npn));
      await given(carrier, { type: 'association', downstreamEntityId: agency }, filing(filingId, agency));
      expect(await reply(first, filingId)).toBe(201);
      const market = { type: 'market', _id: id(), downstreamEntityId: agency, upstreamEntityName: 'Beacon' };
      await given(first, market, {
        type: 'corporate-registration',
        downstreamEntityId: agency,
        stateCode: 'TX',
        registrationType: 'domestic',
        registrationNumber: '0801234567',
      });
      await upload(first, 'Other Document', market._id);
      const license = { downstreamEntityId: agency, type: 'new', stateCode: 'OK' };
      await ask(routes.createAgencyLicenseRequest, first, { body: license });
      const email = `${id()}@agency.example`;
      const contact = { firstName: 'Maria', lastName: 'Delgado', email, downstreamEntityId: agency };
      await ask(routes.createAgencyContact, first, { body: contact });

      const seen = async (organizationId: string) => {
        const ids = await Promise.all(lists.map(([route, key]) => idsOf(route, organizationId, key)));
        const { data } = await ask(routes.getAgencyFiling, organizationId, { params: { filingId } });
        return { ids, escalations: data['escalations'] };
      };
      const nothing = { ids: lists.map(() => []), escalations: undefined };
      let [from, to] = [first, second];
      const before = await seen(from);
      expect(before.ids.every(({ length }) => length > 0)).toBe(true);
      let crashes = 0;
      for (let isDone = false; !isDone; crashes += 1) {
        held.messages = [];
        await move(agency, to, npn);
        const { messages } = held;
        held.messages = undefined;
        isDone = !(await crashing(messages, crashes + 1, isMade));
        const params = { downstreamEntityId: agency };
        const { status } = await ask(routes.getAgencyEntity, to, { params });
        if (status === 404) expect(await seen(from)).toEqual(before);
        await finishMoves(messages);
        expect([await seen(to), await seen(from)]).toEqual([before, nothing]);
        expect((await ask(routes.createAgencyLicenseRequest, to, { body: license })).status).toBe(409);
        [from, to] = [to, from];
      }
      // Copies in five tables, the agency, what follows it, and the removals.
      expect(crashes).toBeGreaterThan(15);
    });
  });
});
