import { getAgencyContact, listAgencyContacts } from './agency-contacts.ts';
import { getContact, listContacts } from './carrier-contacts.ts';
import { createContact } from './create-contact.ts';

/** The operation of each row of the contacts table; versions share operations. */
export const contactOperations = {
  listContacts,
  getContact,
  listContactsV1: listContacts,
  getContactV1: getContact,
  listAgencyContacts,
  getAgencyContact,
  createContact,
};
