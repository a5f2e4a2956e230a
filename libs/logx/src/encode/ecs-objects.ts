/**
 * The objects of ECS 8.11.0, nested objects in brackets after their parent (the field reference of Elastic
 * Common Schema; `npm run conformance:ecs` compares this with npm `@elastic/ecs`).
 */
const TREE = `
  agent(build) client(as(organization) geo nat user(group)) cloud(account instance machine
  origin(account instance machine project service) project service target(account instance machine
  project service)) container(cpu disk(read write) image(hash) labels memory network(egress
  ingress) security_context) data_stream destination(as(organization) geo nat user(group))
  device(model) dll(code_signature hash pe(go_imports imports sections)) dns(answers question) ecs
  email(attachments(file(hash)) bcc cc from reply_to sender to) error event faas(trigger)
  file(code_signature elf(exports go_imports header imports sections segments) hash
  macho(go_imports imports sections) pe(go_imports imports sections) x509(issuer subject)) group
  host(boot cpu disk(read write) geo network(egress ingress) os risk) http(request(body)
  response(body)) labels log(file origin(file) syslog(facility severity structured_data))
  network(inner(vlan) vlan) observer(egress(interface vlan) geo ingress(interface vlan) os)
  orchestrator(cluster resource(parent)) organization package process(code_signature elf(exports
  go_imports header imports sections segments) entry_leader(attested_groups attested_user
  entry_meta(source) group parent(session_leader) real_group real_user saved_group saved_user
  supplemental_groups tty(char_device) user) group_leader(group real_group real_user saved_group
  saved_user supplemental_groups tty(char_device) user) hash io(bytes_skipped) macho(go_imports
  imports sections) parent(code_signature elf(exports go_imports header imports sections segments)
  group group_leader hash macho(go_imports imports sections) pe(go_imports imports sections)
  real_group real_user saved_group saved_user supplemental_groups thread(capabilities)
  tty(char_device) user) pe(go_imports imports sections) previous real_group real_user saved_group
  saved_user session_leader(group parent(session_leader) real_group real_user saved_group
  saved_user supplemental_groups tty(char_device) user) supplemental_groups thread(capabilities)
  tty(char_device) user) registry(data) related rule server(as(organization) geo nat user(group))
  service(node origin(node) target(node)) source(as(organization) geo nat user(group)) span
  threat(enrichments(indicator(as(organization) email file(code_signature elf(exports go_imports
  header imports sections segments) hash pe(go_imports imports sections) x509(issuer subject)) geo
  marking registry(data) url x509(issuer subject)) matched) feed group indicator(as(organization)
  email file(code_signature elf(exports go_imports header imports sections segments) hash
  pe(go_imports imports sections) x509(issuer subject)) geo marking registry(data) url x509(issuer
  subject)) software tactic technique(subtechnique)) tls(client(hash x509(issuer subject))
  server(hash x509(issuer subject))) trace transaction url user(changes(group) effective(group)
  group risk target(group)) user_agent(device os) vulnerability(scanner score)
`;

/** Names, with dots, under which ECS has an object: `url`, `http.request`. */
export const ECS_OBJECTS: ReadonlySet<string> = new Set(namesIn(TREE));

function namesIn(tree: string): string[] {
  const names: string[] = [];
  const inside: string[] = [];
  let last = '';
  for (const [token] of tree.matchAll(/[a-z0-9_]+|[()]/g)) {
    if (token === '(') inside.push(last);
    else if (token === ')') inside.pop();
    else names.push([...inside, (last = token)].join('.'));
  }
  return names;
}
