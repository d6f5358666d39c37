package import Foundation
package import Texts

extension JSONValue {
  /// Reads what an encoder or a file holds.
  package init(data: Data) throws { try self.init(parsing: Array(data)) }
}
