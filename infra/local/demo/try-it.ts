/** What the form of an operation sends instead of the document's examples and of what lists show. */
interface TryIt {
  /** Values of the path and of the query. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Fields of the body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Ids of the demo, by the names of the fields that take them. */
interface DemoIds {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly downstreamEntityId: string;
  readonly downstreamEntityAssociationId: string;
  readonly contactToDelete: string;
  readonly unappointedSeller: { readonly productId: string };
  readonly filingWithOpenEscalation: {
    readonly filingId: string;
    readonly sourceCategoryId: string;
    readonly sourceTaskId: string;
  };
  /** Files that no filing has: the carrier's and the agency's, two of each, since a file can be used once. */
  readonly files: { readonly upstream: readonly string[]; readonly downstream: readonly string[] };
}

const hours = 3_600_000;

/** What "Try it" sends, by operation, so that the first request of each succeeds. */
export function tryItOf(ids: DemoIds, now: Date): Readonly<Record<string, TryIt>> {
  const { clientId, clientSecret, downstreamEntityId, downstreamEntityAssociationId, files } = ids;
  const { filingId, ...item } = ids.filingWithOpenEscalation;
  const yesterday = new Date(now.getTime() - 24 * hours).toISOString();
  const filing = { filingId };
  const association = { downstreamEntityAssociationId };
  const reply = { parameters: filing, body: { ...item, fileDocumentIds: [] } };
  const ofFiles = ([document = '', attachment = '']: readonly string[]) => ({
    document: { parameters: filing, body: { fileDocumentId: document } },
    attachment: { parameters: filing, body: { ...item, fileDocumentIds: [attachment] } },
  });
  const [upstream, downstream] = [ofFiles(files.upstream), ofFiles(files.downstream)];
  const agency = { downstreamEntityName: 'Cimarron Insurance', email: 'owner@cimarron.example' };
  const newAgency = { ...agency, downstreamEntityNpn: '15550123', producerCode: 'P-7732' };
  const status = { parameters: { stateCode: 'TX', productId: ids.unappointedSeller.productId } };
  return {
    exchangeToken: { body: { clientId, clientSecret } },
    requestToken: { body: { client_id: clientId, client_secret: clientSecret } },
    createAgencyLicenseRequest: { body: { downstreamEntityId, stateCode: 'LA' } },
    createAgencyContact: {
      body: { upstreamDownstreamAssociationId: downstreamEntityAssociationId, isPrimary: false },
    },
    // The address that its first contact, Maria Delgado, has: another may be taken.
    updateAgencyContact: { body: { email: 'maria.delgado@lonestar.example' } },
    deleteAgencyContact: { parameters: { contactId: ids.contactToDelete } },
    getSaleCheck: { parameters: { npn: '8123456', productCode: 'CGL', stateCode: 'TX' } },
    listSellers: { parameters: { ...association, productCode: 'CGL', stateCode: 'TX' } },
    listAgencySellers: {
      parameters: { ...status.parameters, upstreamDownstreamAssociationId: downstreamEntityAssociationId },
    },
    listAgentLicenseComplianceStatuses: status,
    listAssociationLicenseComplianceStatuses: status,
    updateAssociation: { parameters: association, body: { producerCode: 'P-7700' } },
    addAssociation: { body: newAgency },
    inviteAssociation: { body: { ...agency, downstreamEntityName: 'Red River Insurance' } },
    getAssociationSignInUrl: { parameters: { ...association, email: 'maria.delgado@lonestar.example' } },
    replaceFilingPolicyDocument: upstream.document,
    attachFilingFiles: upstream.attachment,
    createFilingEscalationMessage: reply,
    replaceAgencyFilingPolicyDocument: downstream.document,
    attachAgencyFilingFiles: downstream.attachment,
    createAgencyFilingEscalationMessage: reply,
    replayWebhook: {
      body: {
        since: yesterday,
        until: now.toISOString(),
        status: 'pending',
      },
    },
  };
}
